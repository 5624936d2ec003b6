/** Where something stands in bytes. */
export interface Span {
  readonly start: number
  readonly end: number
}

const [percent, plus, space, slash, backslash] = [0x25, 0x2b, 0x20, 0x2f, 0x5c]

/** The value of each byte that is a hexadecimal digit; -1 of others. */
const digits = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
)

/** The byte that two digits stand for; -1 where they are none. */
function digitsAt(bytes: Uint8Array, at: number): number {
  const [high = -1, low = -1] = [digits[bytes[at] ?? 0], digits[bytes[at + 1] ?? 0]]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/** How many bytes stand for one byte that is encoded at a place: `%41`, or in JSON `\/` or `\u0041`. */
function widthAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === percent) return 3
  return bytes[at + 1] === slash ? 2 : 6
}

/** The byte that is encoded at a place, as `%41` is A; -1 where none is. */
function encodedAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === percent) return digitsAt(bytes, at + 1)
  if (bytes[at] !== backslash) return -1
  if (bytes[at + 1] === slash) return slash
  return bytes[at + 1] === unicode && digitsAt(bytes, at + 2) === 0 ? digitsAt(bytes, at + 4) : -1
}

/** The letter of `\u0041`. */
const unicode = 0x75

/** Whether a byte is encoded with digits just before a place. */
export const isEncodedBefore = (bytes: Uint8Array, at: number): boolean =>
  (bytes[at - 3] === percent && encodedAt(bytes, at - 3) >= 0) ||
  (bytes[at - 5] === unicode && encodedAt(bytes, at - 6) >= 0)

/** A space stands as + in forms. */
const folded = (byte = 0): number => (byte === plus ? space : byte)

/** What is looked for. What stands around it may look encoded with one or two bytes of an end of it: `%ca` of `%cafe`. */
export interface Pattern {
  /** Digits that look encoded behind a %. */
  readonly head: Uint8Array
  /** At least one byte; a + stands for a space. */
  readonly core: Uint8Array
  /** For each beginning of the core, how long the longest other one is with which it ends. */
  readonly borders: Uint32Array
  /** A % that looks encoded with digits behind it, and perhaps the first of them. */
  readonly tail: Uint8Array
}

/** Bytes that are looked for in decoded texts; and those that are left of them there where they look encoded themselves. */
export function patternsOf(wanted: Uint8Array): Pattern[] {
  const [, head = '', tail = ''] = /^([\da-f]{0,2}).+?(%[\da-f]?)?$/is.exec(latin1.decode(wanted)) ?? []
  const end = wanted.length - tail.length
  const core = wanted.subarray(head.length, end)
  const left = decoded(core)
  return (left.length === core.length ? [core] : [core, left]).map((bytes) => {
    const folds = bytes.map(folded)
    return { head: wanted.subarray(0, head.length), core: folds, borders: bordersOf(folds), tail: wanted.subarray(end) }
  })
}

/** One character for each byte. */
const latin1 = new TextDecoder('latin1')

/**
 * Where bytes stand in others, also where one place overlaps another: as they are, and as in an address or in JSON, where any of
 * them may be encoded. It takes time in proportion to both (Knuth, Morris and Pratt): a service could keep whoever compares all at each
 * place busy for hours.
 */
export function* placesOf({ head, core, borders, tail }: Pattern, bytes: Uint8Array): Generator<Span> {
  if (bytes.length < core.length) return
  /** Where each of the last bytes begins, as many as are wanted. */
  const starts = new Uint32Array(core.length)
  let matched = 0
  for (let at = 0, read = 0; at < bytes.length; read++) {
    starts[read % starts.length] = at
    const encoded = encodedAt(bytes, at)
    matched = matchedBy(folded(encoded < 0 ? bytes[at] : encoded), matched, core, borders)
    at += encoded < 0 ? 1 : widthAt(bytes, at)
    if (matched < core.length) continue
    const start = startOf(head, bytes, starts[(read + 1) % starts.length] ?? 0)
    const end = endOf(tail, bytes, at)
    if (start >= 0 && end >= 0) yield { start, end }
    matched = borders.at(-1) ?? 0
  }
}

/** Where a head begins that ends at a place, each byte as it is or encoded; -1 where it does not stand there. */
function startOf(head: Uint8Array, bytes: Uint8Array, end: number, count = head.length): number {
  if (count === 0) return end
  const last = head[count - 1]
  const start =
    bytes[end - 3] === percent && encodedAt(bytes, end - 3) === last ? startOf(head, bytes, end - 3, count - 1) : -1
  return start < 0 && bytes[end - 1] === last ? startOf(head, bytes, end - 1, count - 1) : start
}

/** Where a tail ends that begins at a place, in the same way. */
function endOf(tail: Uint8Array, bytes: Uint8Array, start: number, index = 0): number {
  if (index === tail.length) return start
  const first = tail[index]
  const end = encodedAt(bytes, start) === first ? endOf(tail, bytes, start + widthAt(bytes, start), index + 1) : -1
  return end < 0 && bytes[start] === first ? endOf(tail, bytes, start + 1, index + 1) : end
}

/** How many bytes of a pattern match with one more, behind so many that do. */
function matchedBy(byte: number, matched: number, pattern: Uint8Array, borders: Uint32Array): number {
  let before = matched
  while (before > 0 && pattern[before] !== byte) before = borders[before - 1] ?? 0
  return pattern[before] === byte ? before + 1 : 0
}

function bordersOf(pattern: Uint8Array): Uint32Array {
  const borders = new Uint32Array(pattern.length)
  for (let at = 1; at < pattern.length; at++)
    borders[at] = matchedBy(pattern[at] ?? 0, borders[at - 1] ?? 0, pattern, borders)
  return borders
}

/** Bytes with those in them that are encoded decoded. */
function decoded(bytes: Uint8Array): Uint8Array {
  const found: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const encoded = encodedAt(bytes, at)
    found.push(encoded < 0 ? (bytes[at] ?? 0) : encoded)
    at += encoded < 0 ? 1 : widthAt(bytes, at)
  }
  return Uint8Array.from(found)
}
