import { randomUUID } from 'node:crypto'
import { ApiError } from '../../../contract/errors.ts'
import { startSession } from '../../auth/sessions.ts'
import { checkToken, checkTokenType, normalToken } from '../../auth/user-tokens.ts'
import { timestamp } from '../../clock.ts'
import type { Scope } from '../../environment.ts'
import { bit } from '../../store/tables.ts'
import type { UserRow } from '../../store/users.ts'
import { newUser } from '../../user.ts'
import type { Handler } from '../handlers.ts'
import { sessionPayload } from './session.ts'

interface Token {
  readonly token: string
  readonly token_type: string
}

/** Registers a user, who is no publisher, and signs them in. Spec 4. */
export const registerUser: Handler<'registerUser'> = async (scope, { body }) => {
  const { user_tokens, password, ...profile } = body
  const tokens = user_tokens.map((token, index) => checked(token, `user_tokens[${index}]`))
  const hash = password ? await scope.passwords.hash(password) : null
  const user = { ...newUser(timestamp(scope.now), profile), password: hash }
  const started = await scope.store.write(() => {
    insert(scope, user, tokens)
    return startSession(scope, user)
  })
  return sessionPayload(scope, user, started)
}

function checked({ token_type, token }: Token, path: string): Token {
  checkTokenType(token_type)
  const normal = normalToken(token_type, token)
  checkToken(token_type, normal, `${path}.token`)
  return { token_type, token: normal }
}

function insert(scope: Scope, user: UserRow, tokens: readonly Token[]): void {
  scope.store.users.insert(user)
  for (const [index, { token_type, token }] of tokens.entries()) {
    if (scope.store.users.byToken(token_type, token)) throw new ApiError('tokenTaken', `${token} is already in use`)
    scope.store.users.insertToken({
      id: randomUUID(),
      user_id: user.id,
      token_type,
      token,
      confirmed: 0,
      is_default: bit(index === 0),
      when_created: user.when_created,
      when_modified: user.when_created,
    })
  }
}
