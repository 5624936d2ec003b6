/** What an answer says besides its payload, in `Vatom-…` headers. */
export type NoticeHeader = 'vatom-assumed' | 'vatom-ignored' | 'vatom-warning'

const longest = 2000

/** Text that may stand in a header: printable ASCII; other characters percent-encoded, cut when long. */
export function headerText(parts: readonly string[], separator: string): string {
  const wellFormed = parts.join(separator).replace(/\p{Cs}/gu, '?')
  const text = wellFormed.replace(/[^\x20-\x7e]+/gu, encodeURIComponent)
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}
