/** Characters of a host with its user and port, at most: the time to encode one of another script grows with their square. */
const longestAuthority = 512

/** The host of an address of the web, with what is before and behind it; a control character or space may come first. */
const authority = /^[^!-~]*(?:https?|wss?|ftp|file):[\\/]*([^\\/?#]*)/i

/**
 * A text as a URL; undefined if it is none. `URL.canParse` of Node 20 says of some with letters such as ü that they are none,
 * once it was called often.
 */
export function parsedUrl(text: string): URL | undefined {
  const [, host = ''] = authority.exec(text.replace(/[\t\n\r]/g, '')) ?? []
  if (host.length > longestAuthority) return undefined
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** The port of an address of the web, also where it is the one that the address need not say. */
export const portOf = ({ port, protocol }: URL): string => port || (defaultPorts[protocol] ?? '')
