/**
 * A text as a URL; undefined if it is none. `URL.canParse` of Node 20 says of some with letters such as ü that they are none,
 * once it was called often.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
