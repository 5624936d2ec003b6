/**
 * An address, or of an IPv6 address the network that providers give to a customer (its first 56 bits): who has that chooses
 * the rest. All spellings of it are one, and so it is with a port, as some proxies write it. A connection that is reset has
 * none.
 */
export function placeOf(given = ''): string {
  const address = withoutPort(given)
  if (!address.includes(':') || address.includes('.')) return address
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: Math.max(8 - head.length - tail.length, 0) }, () => '0')
  const [first = 0, second = 0, third = 0, fourth = 0] = [...head, ...zeros, ...tail].slice(0, 4).map(fromHex)
  return [first, second, third, fourth & 0xff00].map((part) => part.toString(16)).join(':')
}

const fromHex = (part: string) => Number.parseInt(part, 16)

/** `203.0.113.9:4711` and `[2001:db8::1]:4711` without their ports. */
const withoutPort = (address: string): string =>
  address.replace(/^([\d.]+):\d+$/, '$1').replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
