import { ApiError } from '../../../contract/api/errors.ts'
import { tokenTypes } from '../../../contract/values.ts'
import { namedToken } from '../../auth/user-tokens.ts'
import { askForVerification } from '../../domain/user-tokens.ts'
import type { Handler } from '../handlers.ts'

/** Sends a new code to a token that is not confirmed, which ends those before it. */
export const resetVerificationCode: Handler<'resetVerificationCode'> = async (scope, { body }) => {
  const key = namedToken(body, tokenTypes)
  await scope.store.write(() => {
    const token = scope.store.users.token(key.token_type, key.token)
    if (!token) throw new ApiError('unknownUser')
    if (token.confirmed === 1) throw new ApiError('tokenConfirmed')
    askForVerification(scope, token)
  })
  return key
}
