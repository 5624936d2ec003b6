import { ApiError } from '../../contract/errors.ts'
import { tokenTypes } from '../../contract/values.ts'

const email = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}.]+(\.[^\s@\p{Cc}.]+)*$/u
const phone = /^\+[1-9]\d{5,14}$/

/** Whether users can sign in with a token of this type; others are refused with `unknownTokenType`. */
export function checkTokenType(type: string): void {
  if (!(tokenTypes as readonly string[]).includes(type))
    throw new ApiError('unknownTokenType', `unknown token type; known: ${tokenTypes.join(', ')}`, [
      { path: 'token_type', message: `must be one of ${tokenTypes.join(', ')}` },
    ])
}

/** A token as it is stored and looked up: e-mail in lower case, a phone number as + and digits. */
export function normalToken(type: string, token: string): string {
  if (type === 'email') return token.trim().toLowerCase()
  const digits = token.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  return digits.startsWith('+') ? digits : `+${digits}`
}

/** Whether a normalised token is an e-mail address. */
export const isEmail = (token: string): boolean => email.test(token)

/** Refuses a normalised token that is no e-mail address or phone number. */
export function checkToken(type: string, token: string, path: string): void {
  if (type === 'email' && !isEmail(token))
    throw new ApiError('invalidEmail', 'not an e-mail address', [{ path, message: 'must be an e-mail address' }])
  if (type === 'phone_number' && !phone.test(token))
    throw new ApiError('invalidPhone', 'not a phone number', [
      { path, message: 'must be a phone number with its country code, such as +41791234567' },
    ])
}
