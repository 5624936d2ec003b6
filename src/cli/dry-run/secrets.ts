import { Buffer } from 'node:buffer'
import { isObject } from '../../contract/schema/path.ts'
import { isSecretKey } from '../../contract/schema/secret-keys.ts'
import { sizeText } from '../io/text.ts'

const hidden = '(hidden)'

/** A value as it is sent, with its secrets hidden. A boolean, such as whether there is a password, is none. */
export const withoutSecrets = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (key, one: unknown) => (isSecretKey(key) && typeof one !== 'boolean' ? hidden : one)),
  )

/** The JSON of a body, with its secrets hidden; only the size of any other body, as its secrets cannot be found. */
export function bodyWithoutSecrets(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value) || Array.isArray(value)) return withoutSecrets(value)
  } catch {
    // It is no JSON, or deeper than can be looked through.
  }
  return `(${sizeText(Buffer.byteLength(text))}, not a JSON object or array)`
}

/** A field as a flag gives it, `KEY=VALUE`, with a secret value hidden. */
export function fieldWithoutSecret(field: string): string {
  const [key = ''] = field.split('=', 1)
  return isSecretKey(key) ? `${key}=${hidden}` : field
}

/** A path, with the secrets in its query hidden. */
export const pathWithoutSecrets = (path: string): string =>
  path.replace(/([?&])([^=&]*)=([^&]*)/g, (pair, before: string, key: string) =>
    isSecretKey(decoded(key)) ? `${before}${key}=${hidden}` : pair,
  )

/** A decoded key; as it is if it cannot be decoded. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}
