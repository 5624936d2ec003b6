import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { isSecretKey } from '../contract/schema/secret-keys.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { guestTokenType } from '../contract/values.ts'
import { isEncodedBefore, type Pattern, patternsOf, placesOf, type Span } from './secret-places.ts'

/** Characters of what is no part of any other text: a shorter secret is hidden only where it stands as a word. */
const shortest = 8

/**
 * A failure without the token of its request, and without the passwords and codes in the body of that, which gateways and
 * validators repeat in their messages, and in the addresses of pages to sign in.
 */
export function withoutRepeated({ headers, body }: WireRequest, response: WireResponse): WireResponse {
  const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
  const ofToken = token.length < shortest ? [] : patternsOf(encoder.encode(token))
  const ofBody = secretsIn(parseJson(body ?? '')).flatMap((secret) => patternsOf(encoder.encode(secret)))
  const patterns = [...ofToken, ...ofBody]
  const named = Object.entries(response.headers).map(([name, value]) => [name, without(patterns, value)])
  const text = without(ofToken, response.body)
  return { ...response, headers: Object.fromEntries(named), body: withoutTexts(patterns, text) }
}

/**
 * A body without some secrets in its texts, however these are escaped: a number such as a code of an error is none. One
 * without them stays as it came.
 */
function withoutTexts(patterns: readonly Pattern[], body: string): string {
  if (patterns.length === 0) return body
  let isRepeated = false
  const hide = (_: string, value: unknown) => {
    if (typeof value !== 'string') return value
    const rest = without(patterns, value)
    isRepeated ||= rest !== value
    return rest
  }
  try {
    const shown: unknown = JSON.parse(body, hide)
    return isRepeated ? JSON.stringify(shown) : body
  } catch {
    return without(patterns, body)
  }
}

const without = (patterns: readonly Pattern[], text: string): string => patterns.reduce(withoutPattern, text)

/** Bytes of UTF-8 for each unit of a text, at most. */
const ofUnit = 3

function withoutPattern(text: string, pattern: Pattern): string {
  if (text.length * ofUnit < pattern.core.length) return text
  const bytes = encoder.encode(text)
  const spans = spansOf(pattern, bytes)
  return spans.length === 0 ? text : textOf(withoutSpans(bytes, spans))
}

/** Where a pattern stands, each time behind the last one, and as a word where it is short. */
function spansOf(pattern: Pattern, bytes: Uint8Array): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const place of placesOf(pattern, bytes)) {
    if (place.start < from || (isShort(bytes, place) && isWithinWord(bytes, place))) continue
    spans.push(place)
    from = place.end
  }
  return spans
}

/** Bytes with what stands for a secret in place of each span. */
function withoutSpans(bytes: Uint8Array, spans: readonly Span[]): Uint8Array {
  const shown = new Uint8Array(spans.reduce((sum, { start, end }) => sum + hidden.length - (end - start), bytes.length))
  let [from, length] = [0, 0]
  for (const { start, end } of spans) {
    shown.set(bytes.subarray(from, start), length)
    length += start - from
    shown.set(hidden, length)
    length += hidden.length
    from = end
  }
  shown.set(bytes.subarray(from), length)
  return shown
}

/** Whether a place has few characters. */
const isShort = (bytes: Uint8Array, { start, end }: Span): boolean =>
  end - start < shortest * ofUnit && textOf(bytes.subarray(start, end)).length < shortest

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

/** What stands for a secret. */
const hidden = encoder.encode('***')

/** Bytes that a character has at most. */
const ofCharacter = 4

function isWithinWord(bytes: Uint8Array, { start, end }: Span): boolean {
  const before = isEncodedBefore(bytes, start) ? '' : textOf(bytes.subarray(Math.max(0, start - ofCharacter), start))
  return /[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(textOf(bytes.subarray(end, end + ofCharacter)))
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
  const written = [...found].flatMap((one) => [JSON.stringify(one).slice(1, -1), one])
  return [...new Set(written)].sort((a, b) => b.length - a.length)
}

/** Whether a field names a user, as people know them; the token of a guest signs in. */
const isAddress = (key: string, { token_type }: object & { readonly token_type?: unknown }): boolean =>
  /^(user_)?token$/.test(key) && token_type !== guestTokenType
