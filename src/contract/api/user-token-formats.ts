import { limits } from '../limits.ts'
import { shortened } from '../schema/wording.ts'
import { guestTokenType, tokenTypes } from '../values.ts'
import { type ErrorName, errorAt } from './errors.ts'

/** Has no characters that nobody sees, by which addresses could look alike. */
const email = /^[^\s@\p{C}\p{DI}]{1,64}@[^\s@\p{C}\p{DI}.]+(\.[^\s@\p{C}\p{DI}.]+)*$/u
const phone = /^\+[1-9]\d{5,14}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Types of tokens that users sign in with: those that a message can be sent to, and a guest id. */
export const signInTypes = [...tokenTypes, guestTokenType] as const

/** A user token by its type and value. */
export type TokenKey = {
  readonly token_type: string
  readonly token: string
}

/** Whether a type is that of an e-mail address or a phone number, which a message can be sent to. */
export const isReachable = (type: string): boolean => (tokenTypes as readonly string[]).includes(type)

/** A user token as a request names it. */
interface NamedToken {
  readonly token_type: string
  readonly token?: string | undefined
}

/**
 * The token that a request names at `path`, as it is stored. Throws `unknownTokenType` for another type than these, such
 * as that of an OAuth login, which may have no token, and `invalid` where the token is missing.
 */
export function namedToken({ token_type, token }: NamedToken, types: readonly string[], path = ''): TokenKey {
  const place = within(path)
  if (!types.includes(token_type)) {
    const message = `the token type ${shortened(token_type)} is not supported here: it must be one of ${types.join(', ')}, and there are no OAuth logins`
    throw errorAt(place('token_type'), 'unknownTokenType', message)
  }
  if (token === undefined) throw errorAt(place('token'), 'invalid', `${place('token')} is required`)
  return { token_type, token: normalToken(token_type, token) }
}

const within = (path: string) => (field: string) => (path === '' ? field : `${path}.${field}`)

/**
 * The new token in a request at `path`, as it is stored. Throws `unknownTokenType`, and what `checkToken` throws.
 */
export function broughtToken(key: NamedToken, types: readonly string[], path = ''): TokenKey {
  const named = namedToken(key, types, path)
  checkToken(named, within(path)('token'), key.token)
  return named
}

/**
 * A token as it is stored and looked up: e-mail and guest id in lower case, without wide letters (NFKC) and other dots than
 * mail has, a phone number as + and digits. What is normalised already stays as it is, and so does what is too long to be
 * one: the time for it grows with the square of its length.
 */
export function normalToken(type: string, token: string): string {
  if (token.length > limits.userToken) return token
  if (type === 'email' || type === guestTokenType)
    return token.normalize('NFKC').trim().toLowerCase().normalize('NFKC').replaceAll('\u3002', '.')
  const digits = token.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  return digits.startsWith('+') ? digits : `+${digits}`
}

/** Whether a text is a UUID, as ids of users and guests are. */
export const isUuid = (text: string): boolean => uuid.test(text.toLowerCase())

/** Whether a normalised token is an e-mail address. */
export const isEmail = (token: string): boolean => email.test(token)

/** What a token of each type is, and the error of one that is not. */
const formats: Readonly<Record<string, { readonly fits: RegExp; readonly fault: [ErrorName, string] }>> = {
  // A guest signs in with it and no password, so it must be hard to guess.
  [guestTokenType]: { fits: uuid, fault: ['invalid', 'not a guest id, which is a UUID'] },
  email: { fits: email, fault: ['invalidEmail', 'not an e-mail address'] },
  phone_number: {
    fits: phone,
    fault: ['invalidPhone', 'not a phone number with its country code, such as +41791234567'],
  },
}

/** Why a normalised token does not fit its type: `invalidEmail`, `invalidPhone`, or for a guest `invalid`. */
export function tokenFault({ token_type: type, token }: TokenKey): [ErrorName, string] | undefined {
  const format = formats[type]
  if (format === undefined || (token.length <= limits.userToken && format.fits.test(token))) return undefined
  return format.fault
}

/** Refuses a normalised token that does not fit its type, in words that quote it as it was given. */
export function checkToken(key: TokenKey, path: string, given = key.token): void {
  const fault = tokenFault(key)
  if (!fault) return
  const [kind, message] = fault
  throw errorAt(path, kind, `${JSON.stringify(shortened(given, 80))} is ${message}`)
}
