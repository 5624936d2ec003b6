import { ApiError } from '../../../contract/api/errors.ts'
import { tokenTypes } from '../../../contract/values.ts'
import { namedToken } from '../../auth/user-tokens.ts'
import { sendPin } from '../../domain/passwords.ts'
import type { Handler } from '../handlers.ts'

/** Takes the password of a token's user away, and sends the token a pin that stands in for it once. */
export const resetPassword: Handler<'resetPassword'> = async (scope, { body }) => {
  const key = namedToken(body, tokenTypes)
  await scope.store.write(() => {
    const token = scope.store.users.token(key.token_type, key.token)
    if (!token) throw new ApiError('unknownUser')
    sendPin(scope, token)
  })
  return key
}
