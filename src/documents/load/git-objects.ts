import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inflateSync } from 'node:zlib'
import { realPath } from '../../file-system.ts'
import { distanceAt, numberAt } from './git-numbers.ts'
import { costs, type GitReading } from './git-reading.ts'

/** Bytes of an object that is read at most, as it is unpacked: a folder of a million files has about 40 million. */
const mostBytes = 2 ** 26

/** Bytes that an index of a pack counts as that is asked for an object, and one that is searched for it. */
const perIndex = 64
const perSearch = 1024

/** As often git has an object as changes of another one, at most, and that of a further one. */
const mostChanges = 4096

/** Objects that are remembered, the latest: folders may name the same others many times. */
const mostRemembered = 100

/** Folders of objects that are looked in at most: each for every object. */
const mostFolders = 32

/**
 * Reads the objects of a repository by their ids in hexadecimal, from the folder `objects` and those that it names. Undefined
 * for one that is not there, damaged, or too large. Throws a RangeError where too much was read: of folders that name others
 * several times, there may be any number.
 */
export function objectReader(objects: string, reading: GitReading): (id: string) => Buffer | undefined {
  const folders = withAlternates(objects, reading)
  const indexes = folders
    .flatMap((folder) => indexesIn(join(folder, 'pack'), reading))
    .map((file): PackIndex => ({ file }))
  const read = (id: string) =>
    ifReadable(() => looseObject(folders, id, reading)) ?? ifReadable(() => packedObject(indexes, id, reading))
  const latest = new Map<string, Buffer | undefined>()
  return (id) => {
    reading.count(costs.read)
    const object = latest.has(id) ? latest.get(id) : read(id)
    reading.count(object?.length ?? 0)
    latest.delete(id)
    latest.set(id, object)
    if (latest.size > mostRemembered) latest.delete(latest.keys().next().value ?? id)
    return object
  }
}

/** What is read; undefined where that is damaged, or cannot be read. */
function ifReadable<T>(read: () => T | undefined): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A folder of objects, and those of other repositories that have more of them, which can name each other, too. */
function withAlternates(objects: string, reading: GitReading): string[] {
  const folders = new Set([realPath(objects)])
  // Those that are added meanwhile are looked at as well.
  for (const folder of folders) {
    const lines = String(reading.file(join(folder, 'info/alternates'), costs.character) ?? '').split('\n')
    const others = lines.slice(0, mostFolders).filter(Boolean)
    for (const line of others) if (folders.size < mostFolders) folders.add(realPath(resolve(folder, line)))
  }
  return [...folders]
}

const indexesIn = (folder: string, reading: GitReading): string[] =>
  reading
    .names(folder)
    .filter((name) => name.endsWith('.idx'))
    .map((name) => join(folder, name))

/** An object that has a file of its own. */
function looseObject(folders: readonly string[], id: string, reading: GitReading): Buffer | undefined {
  for (const folder of folders) {
    const file = reading.file(join(folder, id.slice(0, 2), id.slice(2)))
    if (file === undefined) continue
    const whole = inflateSync(file, { maxOutputLength: mostBytes })
    reading.count(whole.length)
    return whole.subarray(whole.indexOf(0) + 1)
  }
  return undefined
}

/** An object of a pack: whole, or as changes of another one, and so on to one that is whole. */
function packedObject(indexes: PackIndex[], id: string, reading: GitReading): Buffer | undefined {
  const deltas: Buffer[] = []
  let found = placeOf(indexes, id, reading)
  while (found !== undefined && deltas.length <= mostChanges) {
    const { base, bytes } = objectAt(found, id.length / 2, reading)
    if (base === undefined) return deltas.reduceRight((whole, delta) => changed(whole, delta, reading), bytes)
    deltas.push(bytes)
    found = typeof base === 'string' ? placeOf(indexes, base, reading) : { pack: found.pack, place: base }
  }
  return undefined
}

/** Where an object is. */
interface Place {
  /** The file of the pack. */
  readonly pack: string
  /** Bytes from its beginning. */
  readonly place: number
}

/** The index of a pack. */
interface PackIndex {
  readonly file: string
  /** What is read once: see `idsAt`. */
  head?: Buffer
}

/** Where an object is; the index that has it comes first then, as it has most others, too. */
function placeOf(indexes: PackIndex[], id: string, reading: GitReading): Place | undefined {
  const bytes = Buffer.from(id, 'hex')
  for (const [number, index] of indexes.entries()) {
    reading.count(perIndex)
    const place = placeIn(index, bytes, reading)
    if (place === undefined) continue
    indexes.unshift(...indexes.splice(number, 1))
    return { pack: index.file.replace(/idx$/, 'pack'), place }
  }
  return undefined
}

/** What an index of a pack begins with: a mark, and the version of its format. */
const indexMark = Buffer.from('ff744f6300000002', 'hex')
/** Bytes before the ids: the mark, and for each first byte of an id how many ids begin with it or a lower one. */
const idsAt = 8 + 256 * 4
/** The bit by which an offset is the number of a longer one. */
const isLong = 0x8000_0000

/** What the index of a pack begins with. Throws a RangeError for one of another form. */
function headOf(file: string, reading: GitReading): Buffer {
  reading.count(costs.read)
  const head = bytesAt(file, 0, idsAt)
  if (!head.subarray(0, 8).equals(indexMark)) throw new RangeError('the index of the pack is of another form')
  return head
}

/** Where an object is in the pack of an index. */
function placeIn(index: PackIndex, id: Buffer, reading: GitReading): number | undefined {
  const { file } = index
  index.head ??= headOf(file, reading)
  const { head } = index
  const upTo = (byte: number) => (byte < 0 ? 0 : head.readUInt32BE(8 + byte * 4))
  const first = id.readUInt8(0)
  const [from, to, all] = [upTo(first - 1), upTo(first), upTo(255)]
  if (from >= to) return undefined
  reading.count(perSearch)
  return withFile(file, (bytesOf) => {
    const idAt = (number: number) => {
      reading.count(costs.entry)
      return bytesOf(idsAt + number * id.length, id.length)
    }
    const number = numberOf(id, { from, to }, idAt)
    if (number === undefined) return undefined
    // Behind the ids are as many checksums of 4 bytes, then the offsets, then the longer ones.
    const offsetsAt = idsAt + all * (id.length + 4)
    const offset = bytesOf(offsetsAt + number * 4, 4).readUInt32BE(0)
    if (offset < isLong) return offset
    return Number(bytesOf(offsetsAt + all * 4 + (offset - isLong) * 8, 8).readBigUInt64BE(0))
  })
}

/** The number of an id, from one on and below another; undefined where none has it. The ids are in order. */
function numberOf(
  id: Buffer,
  { from, to }: { readonly from: number; readonly to: number },
  idAt: (number: number) => Buffer,
): number | undefined {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const order = idAt(middle).compare(id)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle
  }
  return undefined
}

/** How a pack says that an object is changes: of the one that many bytes before it, or of one by its id. */
const kinds = { before: 6, byId: 7 } as const

/** Bytes of the numbers and the id before an object in a pack, at most. */
const longestHead = 64

/** What is at a place of a pack: an object, or changes of its base, which is another place or an id. */
function objectAt(
  { pack, place }: Place,
  idLength: number,
  reading: GitReading,
): { readonly base: number | string | undefined; readonly bytes: Buffer } {
  const head = bytesAt(pack, place, longestHead)
  const first = head.readUInt8(0)
  const kind = (first >> 4) & 7
  const size = first & 0x80 ? numberAt(head, 1) : { value: 0, end: 1 }
  const length = (first & 0x0f) + size.value * 16
  reading.count(costs.read + sized(length))
  const back = kind === kinds.before ? distanceAt(head, size.end) : { value: 0, end: size.end }
  const end = kind === kinds.byId ? size.end + idLength : back.end
  // Packed bytes take little more than those that they stand for.
  const packed = bytesAt(pack, place + end, length + Math.ceil(length / 1000) + longestHead)
  const bytes = inflateSync(packed, { maxOutputLength: Math.max(length, 1) })
  if (kind === kinds.before) return { base: place - back.value, bytes }
  return { base: kind === kinds.byId ? head.toString('hex', size.end, end) : undefined, bytes }
}

/** The length of an object. Throws a RangeError for one that is not read. */
function sized(length: number): number {
  if (!(length <= mostBytes)) throw new RangeError('the object is too large')
  return length
}

/** An object made of another one by changes: parts that are copied of it, and new ones. */
function changed(base: Buffer, delta: Buffer, reading: GitReading): Buffer {
  const length = numberAt(delta, numberAt(delta, 0).end)
  reading.count(sized(length.value))
  const whole = Buffer.alloc(length.value)
  let filled = 0
  for (let place = length.end; place < delta.length; ) {
    const order = delta.readUInt8(place++)
    if (order < 0x80) {
      filled += delta.copy(whole, filled, place, place + order)
      place += order
      continue
    }
    // Of where the part begins, and of its length, the bytes follow for which the order has a bit.
    const next = (bits: readonly number[]) =>
      bits.reduce((sum, bit, index) => sum + (order & bit ? delta.readUInt8(place++) * 256 ** index : 0), 0)
    const start = next([0x01, 0x02, 0x04, 0x08])
    const size = next([0x10, 0x20, 0x40])
    filled += base.copy(whole, filled, start, start + (size || 0x10000))
  }
  return whole
}

/** Bytes from a place on, as many as there are up to a count. */
type BytesOf = (place: number, count: number) => Buffer

/** What is made of the bytes of a regular file. */
function withFile<T>(path: string, use: (bytesOf: BytesOf) => T): T {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new RangeError('no regular file')
    return use((place, count) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(count, stat.size - place)))
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, place))
    })
  } finally {
    closeSync(file)
  }
}

const bytesAt = (path: string, place: number, count: number): Buffer =>
  withFile(path, (bytesOf) => bytesOf(place, count))
