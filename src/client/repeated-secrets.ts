import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { isSecretKey } from '../contract/schema/secret-keys.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { guestTokenType } from '../contract/values.ts'

/** What stands for a secret. */
const hidden = '***'
/** Characters of what is no part of any other text: a shorter secret is hidden only where it stands as a word. */
const shortest = 8

/**
 * A failure without the token of its request, and without the passwords and codes in the body of that, which gateways and
 * validators repeat in their messages, and in the addresses of pages to sign in.
 */
export function withoutRepeated({ headers, body }: WireRequest, response: WireResponse): WireResponse {
  const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
  const tokens = token.length < shortest ? [] : [token]
  const secrets = secretsIn(parseJson(body ?? ''))
  const named = Object.entries(response.headers).map(([name, value]) => [name, without([...tokens, ...secrets], value)])
  const text = without(tokens, response.body)
  return { ...response, headers: Object.fromEntries(named), body: withoutTexts(secrets, text) }
}

/** A body without some secrets in its texts: a number such as a code of an error is none. */
function withoutTexts(secrets: readonly string[], body: string): string {
  if (secrets.length === 0) return body
  try {
    return JSON.stringify(
      JSON.parse(body, (_, value: unknown) => (typeof value === 'string' ? without(secrets, value) : value)),
    )
  } catch {
    return without(secrets, body)
  }
}

const without = (secrets: readonly string[], text: string): string =>
  secrets.reduce(
    (left, secret) =>
      left.replaceAll(written(secret), (found, at: number) =>
        secret.length < shortest && isWithinWord(left, at, found.length) ? found : hidden,
      ),
    text,
  )

/** Characters of a secret that is looked for in addresses, too: expressions cannot be of any length. */
const longest = 1000

/** What finds a secret as it is, and as it stands in an address, where any of its characters may be encoded. */
const written = (secret: string) =>
  secret.length > longest ? secret : new RegExp([...secret].map(characterOf).join(''), 'g')

function characterOf(character: string): string {
  const encoded = [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('')
  const anyCase = encoded.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const plain = character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  return `(?:${plain}|${anyCase}${character === ' ' ? '|\\+' : ''})`
}

function isWithinWord(text: string, at: number, length: number): boolean {
  const before = /%[\da-f]{2}$/i.test(text.slice(Math.max(0, at - 3), at)) ? undefined : text[at - 1]
  return [before, text[at + length]].some((beside) => beside !== undefined && /[\p{L}\p{N}]/u.test(beside))
}

/** The secrets of a body, the longest first, as they are and as they stand in JSON. */
function secretsIn(body: unknown): string[] {
  const found = new Set<string>()
  const open = [body]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, field] of Object.entries(value)) {
      open.push(field)
      if (typeof field === 'string' && field !== '' && isSecretKey(key) && !isAddress(key, value)) found.add(field)
    }
  }
  return [...found].flatMap((one) => [JSON.stringify(one).slice(1, -1), one]).sort((a, b) => b.length - a.length)
}

/** Whether a field names a user, as people know them; the token of a guest signs in. */
const isAddress = (key: string, { token_type }: object & { readonly token_type?: unknown }): boolean =>
  /^(user_)?token$/.test(key) && token_type !== guestTokenType
