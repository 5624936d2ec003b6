import { ApiError } from '../../../contract/api/errors.ts'
import { currentUser } from '../../auth/current-user.ts'
import { isReachable } from '../../auth/user-tokens.ts'
import { sendPin } from '../../domain/passwords.ts'
import type { UserScope } from '../../environment.ts'
import type { Handler } from '../handlers.ts'

/** Does as Reset Password for a user's default token: of the caller's own, or as an administrator of any user's. */
export const resetPasswordById: Handler<'resetPasswordById'> = async (scope, { id }) => {
  await scope.store.write(() => {
    checkMayReset(scope, id)
    if (!scope.store.users.byId(id)) throw new ApiError('notFound', 'no user has this id')
    const token = scope.store.users.tokensOf(id).find(({ token_type }) => isReachable(token_type))
    if (!token) throw new ApiError('noUserToken')
    sendPin(scope, token)
  })
  return { success_message: 'A one-time pin was sent.' }
}

function checkMayReset(scope: UserScope, id: string): void {
  const { is_admin, pub_fqdn } = currentUser(scope)
  if (id === scope.user.id || (is_admin === 1 && pub_fqdn !== '')) return
  throw new ApiError('notPublisher', 'only an administrator of a publisher resets the passwords of others')
}
