import { ApiError } from '../../../contract/api/errors.ts'
import { guestTokenType } from '../../../contract/values.ts'
import { currentUser } from '../../auth/current-user.ts'
import { timestamp } from '../../clock.ts'
import { propertiesOf } from '../../domain/user.ts'
import { ownToken } from '../../domain/user-tokens.ts'
import type { UserScope } from '../../environment.ts'
import type { Handler } from '../handlers.ts'

/** Takes a token from the caller, with the codes that were sent to it; never the default one. */
export const deleteUserToken: Handler<'deleteUserToken'> = async (scope, { id }) => {
  await scope.store.write(() => {
    const token = ownToken(scope, id)
    if (token.is_default === 1) throw new ApiError('defaultToken')
    scope.store.users.removeToken(id)
    if (token.token_type === guestTokenType) forgetGuestId(scope)
  })
  return { success_message: 'Token deleted.' }
}

function forgetGuestId(scope: UserScope): void {
  const user = currentUser(scope)
  const { guest_id: _, ...properties } = propertiesOf(user)
  const when_modified = timestamp(scope.now)
  scope.store.users.updateProfile({ ...user, properties: JSON.stringify(properties), when_modified })
}
