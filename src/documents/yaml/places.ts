import { type Alias, isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml'
import type { Path } from '../../contract/schema/path.ts'
import type { Range } from '../finding.ts'
import { isMergeKey } from './walk.ts'

/** What stands at a place: a collection, an alias, or a scalar by how it is written. */
const forms = ['map', 'seq', 'alias', 'PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_FOLDED', 'BLOCK_LITERAL'] as const
type Form = (typeof forms)[number]

/** Where a value or key is in a text. */
export interface Place {
  readonly range: Range
  readonly form: Form
  /** Whether it has neither a tag nor an anchor. */
  readonly isBare: boolean
}

/** The places of a path in a document, or of the part of the path that exists. */
export interface Found {
  readonly place: Place
  readonly key?: Place
  readonly complete: boolean
  /** Whether the path goes through an alias or a merge, so that other places use the same text. */
  readonly shared: boolean
}

/** The part of a member that a place refers to: its value, or its key. */
export type Part = 'key' | 'value'

/** The place of a node. */
export const placeOf = (node: ParsedNode): Place => ({
  range: [node.range[0], node.range[1]],
  form: formOf(node),
  isBare: isAlias(node) || (node.tag === undefined && node.anchor === undefined),
})

function formOf(node: ParsedNode): Form {
  if (isAlias(node)) return 'alias'
  if (isMap(node)) return 'map'
  return isSeq(node) ? 'seq' : (forms.find((form) => form === node.type) ?? 'PLAIN')
}

/** How many numbers there are for a node: where it begins and ends, what it is, and the index behind all that is in it. */
const width = 4
/** What a node is: the index of its form, and these. */
const isBare = 8
const isMerge = 16
/** A key that is a text. */
const isName = 32
const formMask = 7

/** The indexes of keys by their names. */
type Keys = ReadonlyMap<string, number>

/** A node by its index, and its key. */
interface Step {
  readonly at: number
  readonly key?: number
  readonly shared: boolean
}

/**
 * Where the nodes of a document are in its text: all that is stored of them, in a tenth of their memory. Each comes before
 * what is in it; in a map keys and values alternate.
 */
export class Places {
  readonly #text: string
  readonly #numbers: Int32Array
  /** The names of keys that are not written as they are read. */
  readonly #names = new Map<number, string>()
  /** What aliases stand for. */
  readonly #targets = new Map<number, number>()
  /** What is in the lists and maps in which something was looked for: to look through them each time would take long. */
  readonly #items = new Map<number, Int32Array>()
  readonly #own = new Map<number, Keys>()
  readonly #merged = new Map<number, Keys>()

  constructor(text: string, contents: ParsedNode, targets: ReadonlyMap<Alias, ParsedNode>) {
    this.#text = text
    const numbers: number[] = []
    const indexes = new Map<Alias | ParsedNode, number>()
    this.#add(contents, numbers, targets.size > 0 ? indexes : undefined)
    this.#numbers = Int32Array.from(numbers)
    for (const [alias, target] of targets) this.#targets.set(indexes.get(alias) ?? 0, indexes.get(target) ?? 0)
  }

  find(path: Path): Found {
    return this.#found(this.#walk(path))
  }

  /** The place of a value, where an alias is followed; undefined where there is none. */
  findValue(path: Path): Found | undefined {
    const found = this.#walk(path)
    return found.complete ? this.#found({ ...found, at: this.#behind(found.at) }) : undefined
  }

  /**
   * The range to underline for a path: a scalar itself; the key of a list, of an object, of a member without a value, and
   * of the last step that exists; the first line where there is no key.
   */
  locate(path: Path, part: Part): Range {
    const { place, key, complete } = this.find(path)
    const [start, end] = place.range
    const isPlain = place.form !== 'map' && place.form !== 'seq' && start < end
    return this.#firstLine(isPlain && complete && part === 'value' ? place : (key ?? place))
  }

  #firstLine({ range: [start, end] }: Place): Range {
    const [line = ''] = this.#text.slice(start, end).split('\n', 1)
    return [start, start + line.trimEnd().length]
  }

  #walk(path: Path): Step & { readonly complete: boolean } {
    let found: Step = { at: 0, shared: false }
    for (const step of path) {
      const next = this.#child(this.#behind(found.at), step)
      if (!next) return { ...found, complete: false }
      found = { ...next, shared: next.shared || found.shared || this.#formAt(found.at) === 'alias' }
    }
    return { ...found, complete: true }
  }

  #found({ at, key, shared, complete }: Step & { readonly complete: boolean }): Found {
    return { place: this.#place(at), ...(key !== undefined && { key: this.#place(key) }), complete, shared }
  }

  #place(at: number): Place {
    const range = [this.#number(at), this.#number(at + 1)] as const
    return { range, form: this.#formAt(at), isBare: (this.#number(at + 2) & isBare) > 0 }
  }

  #child(at: number, step: string | number): Step | undefined {
    const form = this.#formAt(at)
    if (form === 'map') return this.#member(at, String(step))
    if (form !== 'seq' || typeof step !== 'number') return undefined
    const item = known(this.#items, at, () => Int32Array.from(this.#within(at)))[step]
    return item === undefined ? undefined : { at: item, shared: false }
  }

  #member(map: number, name: string): Step | undefined {
    const own = this.#ownKeys(map).get(name)
    const key = own ?? this.#mergedKeys(map).get(name)
    return key === undefined ? undefined : { at: this.#number(key + 3), key, shared: own === undefined }
  }

  /** The keys of a map by their names; of several with one name, the first. */
  #ownKeys(map: number): Keys {
    return known(this.#own, map, () => firstOfEach([...this.#keysIn(map)].flatMap((key) => this.#named(key))))
  }

  /** The keys of the maps that are merged into a map. */
  #mergedKeys(map: number): Keys {
    return known(this.#merged, map, () =>
      firstOfEach(this.#mergedInto(map).flatMap((one) => [...this.#ownKeys(one), ...this.#mergedKeys(one)])),
    )
  }

  #mergedInto(map: number): number[] {
    return [...this.#keysIn(map)]
      .filter((key) => this.#number(key + 2) & isMerge)
      .map((key) => this.#behind(this.#number(key + 3)))
      .flatMap((source) =>
        this.#formAt(source) === 'seq' ? [...this.#within(source)].map((item) => this.#behind(item)) : [source],
      )
      .filter((source) => this.#formAt(source) === 'map')
  }

  /** A key with its name; nothing for one that is no text. */
  #named(key: number): [name: string, key: number][] {
    if ((this.#number(key + 2) & isName) === 0) return []
    return [[this.#names.get(key) ?? this.#text.slice(this.#number(key), this.#number(key + 1)), key]]
  }

  *#keysIn(map: number): Generator<number, void> {
    let isKey = false
    for (const at of this.#within(map)) {
      isKey = !isKey
      if (isKey) yield at
    }
  }

  /** The nodes of a list; the keys and values of a map. */
  *#within(at: number): Generator<number, void> {
    const end = this.#number(at + 3)
    for (let next = at + width; next < end; next = this.#number(next + 3)) yield next
  }

  #behind(at: number): number {
    return this.#targets.get(at) ?? at
  }

  #formAt(at: number): Form {
    return forms[this.#number(at + 2) & formMask] ?? 'PLAIN'
  }

  #number(at: number): number {
    return this.#numbers[at] ?? 0
  }

  #add(node: ParsedNode, numbers: number[], indexes: Map<Alias | ParsedNode, number> | undefined, flags = 0): void {
    const at = addPlace(node, numbers, flags)
    indexes?.set(node, at)
    if (isSeq(node)) for (const item of node.items) this.#add(item, numbers, indexes)
    if (isMap(node))
      for (const { key, value } of node.items) {
        this.#addKey(key, numbers, indexes)
        if (value) this.#add(value, numbers, indexes)
        // Not what is in the key once more, of which there would be twice as much with each level.
        else addPlace(key, numbers)
      }
    numbers[at + 3] = numbers.length
  }

  #addKey(key: ParsedNode, numbers: number[], indexes: Map<Alias | ParsedNode, number> | undefined): void {
    const at = numbers.length
    const name = isScalar(key) && typeof key.value === 'string' ? key.value : undefined
    const isOwn = name !== undefined && !isMergeKey(key)
    if (isOwn && this.#text.slice(key.range[0], key.range[1]) !== name) this.#names.set(at, name)
    this.#add(key, numbers, indexes, isOwn ? isName : name === undefined ? 0 : isMerge)
  }
}

/** What is known of a node; it is found out the first time. */
function known<T>(found: Map<number, T>, at: number, find: () => T): T {
  const value = found.get(at) ?? find()
  found.set(at, value)
  return value
}

/** Of keys with the same name, the first. */
const firstOfEach = (keys: readonly (readonly [name: string, key: number])[]): Keys => new Map(keys.toReversed())

/** Adds a node with nothing in it, and returns its index. */
function addPlace(node: ParsedNode, numbers: number[], flags = 0): number {
  const at = numbers.length
  const { range, form, isBare: bare } = placeOf(node)
  numbers.push(range[0], range[1], forms.indexOf(form) | (bare ? isBare : 0) | flags, at + width)
  return at
}
