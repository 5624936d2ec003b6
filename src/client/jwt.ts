import { at } from '../contract/schema/path.ts'
import { parseJson } from '../contract/unknown-values.ts'

/** Seconds of the epoch at which a JWT expires; undefined for what is no JWT or carries no `exp`. */
export function expiryOf(token: string): number | undefined {
  const exp = at(claimsOf(token), 'exp')
  return typeof exp === 'number' ? exp : undefined
}

const claimsOf = (token: string): unknown =>
  parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
