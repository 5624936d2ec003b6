import { ApiError } from '../../../contract/api/errors.ts'
import type { ProfileUpdate } from '../../../contract/bodies/user.ts'
import { currentUser } from '../../auth/current-user.ts'
import { isReachable } from '../../auth/user-tokens.ts'
import { timestamp } from '../../clock.ts'
import { propertiesOf, userRecord } from '../../domain/user.ts'
import type { UserScope } from '../../environment.ts'
import type { Handler } from '../handlers.ts'

/** Changes the submitted fields of the caller's profile, and no other. Spec 4.2. */
export const updateProfile: Handler<'updateProfile'> = async (scope, { body }) => {
  const { password, nonpush_notification, user_consent, ...changes } = body
  if (nonpush_notification !== undefined) scope.warn('nonpush_notification has no effect')
  if (user_consent !== undefined) scope.warn('user_consent has no effect')
  const hash = password ? await scope.environment.passwords.hash(password) : emptied(password)
  return userRecord(await scope.store.write(() => apply(scope, changes, hash)), scope.baseUrl)
}

/** Null where the password is taken away, undefined where it stays as it is. */
const emptied = (password: string | undefined) => (password === undefined ? undefined : null)

function apply(scope: UserScope, changes: ProfileUpdate, hash: string | null | undefined) {
  const current = currentUser(scope)
  if (hash !== undefined) checkPassword(scope, hash)
  const updated = {
    ...current,
    properties: JSON.stringify({ ...propertiesOf(current), ...changes }),
    password: hash === undefined ? current.password : hash,
    when_modified: timestamp(scope.now),
  }
  scope.store.users.updateProfile(updated)
  return updated
}

/** A new password ends the pins that stand in for it; none is for users alone who need none. */
function checkPassword({ store, user }: UserScope, hash: string | null): void {
  const tokens = store.users.tokensOf(user.id)
  if (hash === null && tokens.some(({ token_type }) => isReachable(token_type)))
    throw new ApiError('passwordNeeded', undefined, [
      { path: 'password', message: 'must not be empty: a token of the user authenticates by password' },
    ])
  for (const { id } of tokens) store.codes.remove({ token_id: id, kind: 'pin' })
}
