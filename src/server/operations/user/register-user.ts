import { errorAt } from '../../../contract/api/errors.ts'
import { guestTokenType } from '../../../contract/values.ts'
import { startSession } from '../../auth/sessions.ts'
import { broughtToken, signInTypes, type TokenKey } from '../../auth/user-tokens.ts'
import { timestamp } from '../../clock.ts'
import { newUser } from '../../domain/user.ts'
import { addToken, askForVerification } from '../../domain/user-tokens.ts'
import type { Scope } from '../../environment.ts'
import type { UserRow } from '../../store/users.ts'
import type { Handler } from '../handlers.ts'
import { sessionPayload } from './session.ts'

/** Registers a user, who is no publisher, and signs them in. Spec 4. */
export const registerUser: Handler<'registerUser'> = async (scope, { body }) => {
  const { user_tokens, password, ...profile } = body
  const tokens = user_tokens.map((token, index) => broughtToken(token, signInTypes, `user_tokens[${index}]`))
  const first = user_tokens.findIndex(({ is_primary }) => is_primary)
  const hash = password ? await scope.environment.passwords.hash(password) : null
  const user = { ...newUser(timestamp(scope.now), { ...profile, ...guestIdOf(tokens) }), password: hash }
  const started = await scope.store.write(() => {
    insert(scope, user, tokens, Math.max(first, 0))
    return startSession(scope.environment, user)
  })
  return sessionPayload(scope, user, started)
}

/** A user has one guest id at most. */
function guestIdOf(tokens: readonly TokenKey[]): object {
  const [guest, ...more] = tokens.filter(({ token_type }) => token_type === guestTokenType)
  if (more.length > 0) throw errorAt('user_tokens', 'invalid', 'user_tokens must have at most one guest_id')
  return guest ? { guest_id: guest.token } : {}
}

function insert(scope: Scope, user: UserRow, tokens: readonly TokenKey[], first: number): void {
  scope.store.users.insert(user)
  for (const [index, key] of tokens.entries())
    askForVerification(scope, addToken(scope, { ...key, user: user.id, isDefault: index === first }))
}
