import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import { tokenTypes } from '../../../contract/values.ts'
import { isCode } from '../../auth/codes.ts'
import { writeAs } from '../../auth/current-user.ts'
import { namedToken } from '../../auth/user-tokens.ts'
import { confirmToken } from '../../domain/user-tokens.ts'
import type { Handler } from '../handlers.ts'

/** Confirms a token of the caller's by the code that was sent to it, which activates the caller. Spec 2.1. */
export const verifyUserToken: Handler<'verifyUserToken'> = async (scope, { body }) => {
  const key = namedToken(body, tokenTypes)
  const isRight = await writeAs(scope, (scope) => {
    const token = scope.store.users.token(key.token_type, key.token)
    if (token?.user_id !== scope.user.id) throw new ApiError('unknownUser', 'the user has no such token')
    if (token.confirmed === 1) throw new ApiError('tokenConfirmed')
    const matches = isCode(scope, token, 'verification', body.verify_code)
    if (matches) confirmToken(scope, token)
    return matches
  })
  // Not thrown inside the write, which would forget that it was tried.
  if (!isRight)
    throw errorAt('verify_code', 'wrongCode', 'the verification code is wrong, expired or was tried too often')
  return key
}
