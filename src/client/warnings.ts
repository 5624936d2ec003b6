import type { WireResponse } from '../contract/api/wire.ts'

/**
 * What the service says of what it did all the same: the parts of an answer's `Vatom-Warning` header, each once. Parts
 * are joined by `; `, and what is not printable ASCII is percent-encoded. A refusal has none: nothing was done.
 */
export function warningsIn({ status, headers }: WireResponse): readonly string[] {
  const parts = status === 200 ? (headers['vatom-warning'] ?? '').split('; ') : []
  return [...new Set(parts.map((part) => readable(part.trim())))].filter((part) => part !== '')
}

/** Only what a service encodes is decoded: a percent sign may be one. */
const encoded = /(?:%(?:[01][0-9A-F]|7F|[89A-F][0-9A-F]))+/g

const readable = (text: string) => text.replace(encoded, decoded)

/** A header that was cut may end amid a character. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
