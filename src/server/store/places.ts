/**
 * An address, or of an IPv6 address the network that providers give to a customer (its first 56 bits): who has that chooses
 * the rest. A connection that is reset has none.
 */
export function placeOf(address = ''): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: Math.max(8 - head.length - tail.length, 0) }, () => '0')
  const [first, second, third, fourth = '0'] = [...head, ...zeros, ...tail]
  return [first, second, third, (Number.parseInt(fourth, 16) & 0xff00).toString(16)].join(':')
}
