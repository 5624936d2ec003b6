/** The eight groups of an IPv6 address, of which the last two may be written as IPv4. */
export function groupsOf(address: string): number[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').flatMap(groupsIn)))
  const zeros = Array.from({ length: Math.max(8 - head.length - tail.length, 0) }, () => 0)
  return [...head, ...zeros, ...tail]
}

/** One group, or the two that are written as an IPv4 address. */
function groupsIn(part: string): number[] {
  const [first = 0, second = 0, third = 0, fourth] = part.split('.').map(Number)
  if (fourth === undefined) return [Number.parseInt(part, 16)]
  return [(first << 8) | second, (third << 8) | fourth]
}
