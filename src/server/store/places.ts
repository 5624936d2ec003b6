import { groupsOf } from '../../contract/schema/ip-groups.ts'

/**
 * An address, or of an IPv6 address the network that providers give to a customer (its first 56 bits): who has that chooses
 * the rest. All spellings of it are one, that of an IPv4 address in IPv6 included, and so it is with a port. A connection
 * that is reset has none.
 */
export function placeOf(given = ''): string {
  // Most are: each request asks several times.
  if (!/[:[]/.test(given)) return given
  const address = withoutPort(given)
  if (!address.includes(':') || !/^[\da-f:.]+(%|$)/i.test(address)) return address
  const [first = 0, second = 0, third = 0, fourth = 0, fifth, sixth, high = 0, low = 0] = groupsOf(address)
  const isMapped = sixth === 0xffff && [first, second, third, fourth, fifth].every((group) => group === 0)
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return [first, second, third, fourth & 0xff00].map((part) => part.toString(16)).join(':')
}

/** An address as some proxies write it, `203.0.113.9:4711` or `[2001:db8::1]:4711`, without its port. */
export const withoutPort = (address: string): string =>
  address.replace(/^([^:]*):\d+$/, '$1').replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
