import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inflateSync } from 'node:zlib'
import { namesIn, realPath } from '../../file-system.ts'
import { distanceAt, numberAt } from './git-numbers.ts'
import { regular } from './git-repository.ts'

/** Bytes of objects that are read of a repository at most, as they are unpacked: ten times those of half a million files' folders. */
const mostBytes = 2 ** 30

/** Bytes that an object counts for beside its own, one that is asked for, and an index that is searched for it. */
const perObject = 64
const perRead = 4096
const perSearch = 1024

/** Objects that are remembered, the latest: folders may name the same others many times. */
const mostRemembered = 100

/** Folders of objects that are looked in at most: each for every object. */
const mostFolders = 32

/** Takes bytes from what is left; throws a RangeError for more. */
type ByteCounter = (bytes: number) => void

/**
 * Reads the objects of a repository by their ids in hexadecimal, from the folder `objects` and those that it names. Undefined
 * for one that is not there, damaged, or too large. Throws a RangeError where so much was read that no repository has more: of
 * folders that name others several times, there may be any number.
 */
export function objectReader(objects: string): (id: string) => Buffer | undefined {
  const folders = withAlternates(objects)
  const indexes = folders.flatMap((folder) => indexesIn(join(folder, 'pack'))).map((file): PackIndex => ({ file }))
  let left = mostBytes
  const count = (bytes: number) => {
    left -= bytes + perObject
    if (left < 0) throw new RangeError('the objects are too large together')
  }
  const read = (id: string) => {
    try {
      return looseObject(folders, id, count) ?? packedObject(indexes, id, count)
    } catch {
      return undefined
    }
  }
  const latest = new Map<string, Buffer | undefined>()
  return (id) => {
    count(perRead)
    const object = latest.has(id) ? latest.get(id) : read(id)
    latest.delete(id)
    latest.set(id, object)
    if (latest.size > mostRemembered) latest.delete(latest.keys().next().value ?? id)
    return object
  }
}

/** A folder of objects, and those of other repositories that have more of them, which can name each other, too. */
function withAlternates(objects: string): string[] {
  const folders = new Set([realPath(objects)])
  // Those that are added meanwhile are looked at as well.
  for (const folder of folders) {
    const lines = String(regular(join(folder, 'info/alternates')) ?? '').split('\n')
    const others = lines.slice(0, mostFolders).filter(Boolean)
    for (const line of others) if (folders.size < mostFolders) folders.add(realPath(resolve(folder, line)))
  }
  return [...folders]
}

const indexesIn = (folder: string): string[] =>
  namesIn(folder)
    .filter((name) => name.endsWith('.idx'))
    .map((name) => join(folder, name))

/** An object that has a file of its own. */
function looseObject(folders: readonly string[], id: string, count: ByteCounter): Buffer | undefined {
  const file = folders.flatMap((folder) => regular(join(folder, id.slice(0, 2), id.slice(2))) ?? [])[0]
  if (file === undefined) return undefined
  const whole = inflateSync(file, { maxOutputLength: mostBytes })
  count(whole.length)
  return whole.subarray(whole.indexOf(0) + 1)
}

/** An object of a pack: whole, or as changes of another one, and so on to one that is whole. */
function packedObject(indexes: PackIndex[], id: string, count: ByteCounter): Buffer | undefined {
  const deltas: Buffer[] = []
  let found = placeOf(indexes, id, count)
  while (found !== undefined) {
    const { base, bytes } = objectAt(found, id.length / 2, count)
    if (base === undefined) return deltas.reduceRight((whole, delta) => changed(whole, delta, count), bytes)
    deltas.push(bytes)
    found = typeof base === 'string' ? placeOf(indexes, base, count) : { pack: found.pack, place: base }
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
function placeOf(indexes: PackIndex[], id: string, count: ByteCounter): Place | undefined {
  for (const [number, index] of indexes.entries()) {
    const place = placeIn(index, Buffer.from(id, 'hex'), count)
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

/** Where an object is in the pack of an index. */
function placeIn(index: PackIndex, id: Buffer, count: ByteCounter): number | undefined {
  const { file } = index
  index.head ??= bytesAt(file, 0, idsAt)
  const { head } = index
  if (!head.subarray(0, 8).equals(indexMark)) throw new RangeError('the index of the pack is of another form')
  const upTo = (byte: number) => (byte < 0 ? 0 : head.readUInt32BE(8 + byte * 4))
  const first = id.readUInt8(0)
  const [from, all] = [upTo(first - 1), upTo(255)]
  if (upTo(first) === from) return undefined
  count(perSearch)
  const ids = bytesAt(file, idsAt + from * id.length, (upTo(first) - from) * id.length)
  for (let at = 0; at < ids.length; at += id.length) {
    if (!ids.subarray(at, at + id.length).equals(id)) continue
    const number = from + at / id.length
    // Behind the ids are as many checksums of 4 bytes, then the offsets, then the longer ones.
    const offsetsAt = idsAt + all * (id.length + 4)
    const offset = bytesAt(file, offsetsAt + number * 4, 4).readUInt32BE(0)
    if (offset < isLong) return offset
    return Number(bytesAt(file, offsetsAt + all * 4 + (offset - isLong) * 8, 8).readBigUInt64BE(0))
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
  count: ByteCounter,
): { readonly base: number | string | undefined; readonly bytes: Buffer } {
  const head = bytesAt(pack, place, longestHead)
  const first = head.readUInt8(0)
  const kind = (first >> 4) & 7
  const size = first & 0x80 ? numberAt(head, 1) : { value: 0, end: 1 }
  const length = (first & 0x0f) + size.value * 16
  count(length)
  const back = kind === kinds.before ? distanceAt(head, size.end) : { value: 0, end: size.end }
  const end = kind === kinds.byId ? size.end + idLength : back.end
  // Packed bytes take little more than those that they stand for.
  const packed = bytesAt(pack, place + end, length + Math.ceil(length / 1000) + longestHead)
  const bytes = inflateSync(packed, { maxOutputLength: Math.max(length, 1) })
  if (kind === kinds.before) return { base: place - back.value, bytes }
  return { base: kind === kinds.byId ? head.toString('hex', size.end, end) : undefined, bytes }
}

/** An object made of another one by changes: parts that are copied of it, and new ones. */
function changed(base: Buffer, delta: Buffer, count: ByteCounter): Buffer {
  const length = numberAt(delta, numberAt(delta, 0).end)
  count(length.value)
  const parts: Buffer[] = []
  for (let place = length.end; place < delta.length; ) {
    const order = delta.readUInt8(place++)
    if (order < 0x80) {
      parts.push(delta.subarray(place, place + order))
      place += order
      continue
    }
    // Of where the part begins, and of its length, the bytes follow for which the order has a bit.
    const next = (bits: readonly number[]) =>
      bits.reduce((sum, bit, index) => sum + (order & bit ? delta.readUInt8(place++) * 256 ** index : 0), 0)
    const start = next([0x01, 0x02, 0x04, 0x08])
    const size = next([0x10, 0x20, 0x40])
    parts.push(base.subarray(start, start + (size || 0x10000)))
  }
  return Buffer.concat(parts, length.value)
}

/** Bytes of a regular file from a place on, as many as there are up to a count. */
function bytesAt(path: string, place: number, count: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new RangeError('no regular file')
    const bytes = Buffer.alloc(Math.max(0, Math.min(count, stat.size - place)))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, place))
  } finally {
    closeSync(file)
  }
}
