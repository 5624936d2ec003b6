/** An address, or the network of an IPv6 address: a machine chooses the other half of that itself. A connection that is reset has none. */
export function placeOf(address = ''): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: Math.max(8 - head.length - tail.length, 0) }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
