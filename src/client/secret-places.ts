/** Where something stands in bytes. */
export interface Span {
  readonly start: number
  readonly end: number
}

const [percent, plus, space] = [0x25, 0x2b, 0x20]

/** The value of each byte that is a hexadecimal digit; -1 of others. */
const digits = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
)

/** The byte that is encoded at a place, as `%41` is A; -1 where none is. */
function encodedAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== percent) return -1
  const [high = -1, low = -1] = [digits[bytes[at + 1] ?? 0], digits[bytes[at + 2] ?? 0]]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/** Whether a byte is encoded just before a place. */
export const isEncodedBefore = (bytes: Uint8Array, at: number): boolean => encodedAt(bytes, at - 3) >= 0

/** A space stands as + in forms. */
const folded = (byte = 0): number => (byte === plus ? space : byte)

/**
 * Where bytes stand in others: as they are, and as in an address, where any of them may be encoded. It takes time in proportion
 * to both (Knuth, Morris and Pratt): a service could keep whoever compares all at each place busy for hours.
 */
export function* placesOf(wanted: Uint8Array, bytes: Uint8Array): Generator<Span> {
  const pattern = wanted.map(folded)
  const borders = bordersOf(pattern)
  /** Where each of the last bytes begins, as many as are wanted. */
  const starts = new Uint32Array(pattern.length)
  let matched = 0
  for (let at = 0, read = 0; at < bytes.length; read++) {
    starts[read % starts.length] = at
    const encoded = encodedAt(bytes, at)
    matched = matchedBy(folded(encoded < 0 ? bytes[at] : encoded), matched, pattern, borders)
    at += encoded < 0 ? 1 : 3
    if (matched < pattern.length) continue
    yield { start: starts[(read + 1) % starts.length] ?? 0, end: at }
    matched = 0
  }
}

/** How many bytes of a pattern match with one more, behind so many that do. */
function matchedBy(byte: number, matched: number, pattern: Uint8Array, borders: Uint32Array): number {
  let before = matched
  while (before > 0 && pattern[before] !== byte) before = borders[before - 1] ?? 0
  return pattern[before] === byte ? before + 1 : 0
}

/** For each beginning of a pattern, how long the longest other one is with which it ends. */
function bordersOf(pattern: Uint8Array): Uint32Array {
  const borders = new Uint32Array(pattern.length)
  for (let at = 1; at < pattern.length; at++)
    borders[at] = matchedBy(pattern[at] ?? 0, borders[at - 1] ?? 0, pattern, borders)
  return borders
}

/** Bytes with those in them that are encoded as in an address decoded. */
export function decoded(bytes: Uint8Array): Uint8Array {
  const found: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const encoded = encodedAt(bytes, at)
    found.push(encoded < 0 ? (bytes[at] ?? 0) : encoded)
    at += encoded < 0 ? 1 : 3
  }
  return Uint8Array.from(found)
}
