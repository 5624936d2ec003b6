import { ApiError } from '../../../contract/errors.ts'
import { counted } from '../../auth/attempts.ts'
import { startSession } from '../../auth/sessions.ts'
import { checkTokenType, normalToken } from '../../auth/user-tokens.ts'
import { timestamp } from '../../clock.ts'
import type { Scope } from '../../environment.ts'
import type { UserRow } from '../../store/users.ts'
import type { Handler } from '../handlers.ts'
import { sessionPayload } from './session.ts'

/** Signs a user in with a token and a password; repeated failures lock the account for a while. Spec 5. */
export const login: Handler<'login'> = async (scope, { body }) => {
  checkTokenType(body.token_type)
  const user = scope.store.users.byToken(body.token_type, normalToken(body.token_type, body.token))
  if (!user) throw new ApiError('unknownUser')
  const started = await counted(scope, user.id, async () => {
    if (!(await isPassword(scope, user, body.auth_data.password))) throw new ApiError('loginFailed')
    return await scope.store.write(() => startSession(scope, user))
  })
  return sessionPayload(scope, { ...user, last_login: timestamp(scope.now) }, started)
}

/** Takes as long for a user without a password as for one with. A seeded user's is the configured one until they set one. */
async function isPassword({ seed, passwords }: Scope, user: UserRow, password: string): Promise<boolean> {
  const stored = user.password ?? (await seed.passwordHash())
  const matches = await passwords.matches(password, stored)
  return matches && (user.password !== null || user.seeded === 1)
}
