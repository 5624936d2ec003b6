import leven from 'leven'
import { longest, numbered } from './suggest.ts'

/** A name, and what others are compared with. */
interface Known {
  readonly name: string
  readonly versionless: string
  readonly numbered: string
  readonly parts: readonly string[]
}

const known = (name: string): Known => ({
  name,
  versionless: name.replace(/::v\d+$/, ''),
  numbered: numbered(name),
  parts: name.split('::'),
})

/** The names of a set, and what was found for those that are not among them. */
class Names {
  readonly #known: readonly Known[]
  readonly #found = new Map<string, string | undefined>()

  constructor(names: ReadonlySet<string>) {
    this.#known = [...names].map(known)
  }

  typo(name: string): string | undefined {
    if (!this.#found.has(name)) this.#found.set(name, this.#search(known(name)))
    return this.#found.get(name)
  }

  #search(one: Known): string | undefined {
    let left = compared
    const isNear = (part: string, other: string) =>
      part.length <= longest && Math.abs(part.length - other.length) <= 2 && left-- > 0 && isMisspelt(part, other)
    return this.#known.find((other) => isComparable(one.name, other.name) && isTypo(one, other, isNear))?.name
  }
}

/** Names that are compared with one letter by letter, at most. */
const compared = 1000

/** A set is looked at once: a catalog asks for the same names over and over. */
const prepared = new WeakMap<ReadonlySet<string>, Names>()

/**
 * The name that another misspells: one that differs in at most two letters of one part between `::`, or has a publisher
 * or a version besides. Names that differ in numbers alone are names of different things. The set must not change.
 */
export function typo(name: string, names: ReadonlySet<string>): string | undefined {
  const found = prepared.get(names) ?? new Names(names)
  prepared.set(names, found)
  return found.typo(name)
}

const isComparable = (name: string, other: string): boolean =>
  name !== other && Math.abs(other.length - name.length) <= longest

function isTypo(one: Known, other: Known, isNear: (part: string, other: string) => boolean): boolean {
  const tail = `::${one.name}`
  if (other.name.endsWith(tail) || other.versionless.endsWith(tail)) return true
  if (other.versionless === one.name) return true
  if (one.parts.length !== other.parts.length || one.numbered === other.numbered) return false
  const [at, ...more] = differing(one.parts, other.parts)
  return at !== undefined && more.length === 0 && isNear(one.parts[at] ?? '', other.parts[at] ?? '')
}

/** Which parts differ: the first two. */
function differing(parts: readonly string[], others: readonly string[]): number[] {
  const found: number[] = []
  for (let at = 0; at < parts.length && found.length < 2; at++) if (parts[at] !== others[at]) found.push(at)
  return found
}

function isMisspelt(part: string, other: string): boolean {
  const most = mistakes(other.length)
  return leven(part, other, { maxDistance: most + 1 }) <= most
}

/** Typing mistakes in a part of this length. */
const mistakes = (length: number) => (length < 4 ? 0 : length < 6 ? 1 : 2)
