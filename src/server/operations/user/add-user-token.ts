import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { tokenTypes } from '../../../contract/values.ts'
import { currentUser } from '../../auth/current-user.ts'
import { broughtToken, isReachable, type TokenKey } from '../../auth/user-tokens.ts'
import { addToken, askForVerification, makeDefault, tokenRecord } from '../../domain/user-tokens.ts'
import type { UserScope } from '../../environment.ts'
import type { UserTokenRow } from '../../store/users.ts'
import type { Handler } from '../handlers.ts'

/** Gives the caller another token, and sends it a code that verifies it. */
export const addUserToken: Handler<'addUserToken'> = async (scope, { body: { is_primary, ...named } }) => {
  const key = broughtToken(named, tokenTypes)
  return await scope.store.write(() => {
    const row = added(scope, key)
    if (is_primary) makeDefault(scope, row)
    return tokenRecord(scope, { ...row, is_default: is_primary ? 1 : row.is_default })
  })
}

function added(scope: UserScope, key: TokenKey): UserTokenRow {
  const user = currentUser(scope)
  const tokens = scope.store.users.tokensOf(user.id)
  if (tokens.filter(({ token_type }) => isReachable(token_type)).length >= limits.userTokens)
    throw errorAt('token', 'invalid', `a user has at most ${limits.userTokens} tokens`)
  const row = addToken(scope, { ...key, user: user.id, isDefault: tokens.length === 0 })
  askForVerification(scope, row)
  return row
}
