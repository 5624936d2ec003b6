import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { objectReader } from '../../../src/documents/load/git-objects.ts'
import { GitReading } from '../../../src/documents/load/git-reading.ts'
import { newFolder } from '../../support/folders.ts'

/** Nearly as much as a run reads of repositories. */
const nearlyAll = 2 ** 31 - 2 ** 20
const tooMuch = 'the repositories have more than is read'

/** The number of an object whose id begins with another byte. */
const otherByte = 2 ** 157

/** Ids of objects, which all begin alike: who looks for one has to search each index. */
const idOf = (number: number) => number.toString(16).padStart(40, '0')

/** Numbers of four bytes. */
const words = (...numbers: number[]) => Buffer.from(new Uint32Array(numbers).buffer).swap32()

/** The index of a pack with some objects, by the bytes that are before each. */
function indexOf(places: ReadonlyMap<number, number>): Buffer {
  const numbers = [...places.keys()].sort((a, b) => a - b)
  const ids = numbers.map((number) => Buffer.from(idOf(number), 'hex'))
  const counts = Array.from({ length: 256 }, () => numbers.length)
  const offsets = numbers.map((number) => places.get(number) ?? 0)
  return Buffer.concat([
    Buffer.from('ff744f6300000002', 'hex'),
    words(...counts),
    ...ids,
    words(...numbers, ...offsets),
  ])
}

/** What a pack has of a file: its length, as it says it, and its content. */
function packed(content: string, length = content.length): Buffer {
  const blob = 3
  const head = [(blob << 4) | (length & 0x0f)]
  for (let rest = length >> 4; rest > 0; rest >>= 7) {
    head[head.length - 1] = (head.at(-1) ?? 0) | 0x80
    head.push(rest & 0x7f)
  }
  return Buffer.concat([Buffer.from(head), deflateSync(content)])
}

/** A folder of objects. */
function repository() {
  const objects = newFolder()
  mkdirSync(join(objects, 'pack'))
  const pack = (name: string, files: Readonly<Record<number, Buffer>>) => {
    const places = new Map<number, number>()
    let end = 12
    for (const [number, bytes] of Object.entries(files)) {
      places.set(Number(number), end)
      end += bytes.length
    }
    writeFileSync(join(objects, `pack/${name}.idx`), indexOf(places))
    writeFileSync(join(objects, `pack/${name}.pack`), Buffer.concat([Buffer.alloc(12), ...Object.values(files)]))
  }
  const open = (reading = new GitReading({})) => {
    const read = objectReader(objects, reading)
    return (number: number) => read(idOf(number))?.toString()
  }
  return { objects, pack, open }
}

test('the index in which an object was found is searched first for the next one', () => {
  const { objects, pack, open } = repository()
  pack('a', { 1: packed('one') })
  pack('b', { 2: packed('two'), 3: packed('three') })
  const read = open()
  expect([read(1), read(2)]).toEqual(['one', 'two'])
  rmSync(join(objects, 'pack/a.idx'))
  expect(read(3)).toBe('three')
})

test('the latest objects are remembered, and no others', () => {
  const { objects, pack, open } = repository()
  pack('a', { 1: packed('one') })
  const read = open()
  expect(read(1)).toBe('one')
  rmSync(join(objects, 'pack'), { recursive: true })
  expect(read(1)).toBe('one')
  for (let other = 2; other <= 101; other++) read(other)
  expect(read(1)).toBeUndefined()
})

test('among many packs, not so many objects are looked for that it takes very long', () => {
  const { pack, open } = repository()
  for (let index = 0; index < 10; index++) pack(`b${index}`, { 2: packed('two') })
  const reading = new GitReading({})
  const read = open(reading)
  reading.count(nearlyAll)
  expect(() => {
    for (let absent = 3; absent < 150; absent++) read(absent)
  }).toThrow(tooMuch)
})

test('among very many packs, not so many objects are looked for that it takes very long', () => {
  const { objects, pack, open } = repository()
  for (let index = 0; index < 2000; index++) pack(`b${index}`, { 2: packed('two') })
  const reading = new GitReading({})
  const read = open(reading)
  read(otherByte)
  rmSync(join(objects, 'pack'), { recursive: true })
  reading.count(nearlyAll - 2 ** 24)
  expect(() => {
    for (let absent = 3; absent < 150; absent++) read(otherByte + absent * 2 ** 120)
  }).toThrow(tooMuch)
})

test('an index is searched, however many objects it says that it has, and not read', () => {
  const { pack, open } = repository()
  const numbers = Array.from({ length: 1000 }, (_, index) => 2 * index + 1)
  pack('a', Object.fromEntries(numbers.map((number) => [number, packed(`${number}`)])))
  const reading = new GitReading({})
  const read = open(reading)
  reading.count(nearlyAll)
  const looked = [1, 501, 999, 1001, 1997, 1999]
  expect(looked.map(read)).toEqual(looked.map(String))
  const absent = Array.from({ length: 50 }, (_, index) => 40 * index)
  expect(absent.map(read)).toEqual(absent.map(() => undefined))
})

test('an index that says that it has more objects than its file has room for has none of them', () => {
  const { objects, pack, open } = repository()
  pack('a', { 1: packed('one') })
  const index = join(objects, 'pack/a.idx')
  writeFileSync(index, readFileSync(index).fill(words(0xffff_fff0), 8, 8 + 256 * 4))
  expect(open()(2)).toBeUndefined()
})

test('an object that is larger than any folder is not unpacked', () => {
  const { pack, open } = repository()
  pack('a', { 1: packed('one', 2 ** 26 + 1), 2: packed('two') })
  const read = open()
  expect([read(1), read(2)]).toEqual([undefined, 'two'])
})

test('an object that is changes of itself is none', () => {
  const { pack, open } = repository()
  // Changes of what is no byte before them, without a byte of their own.
  pack('a', { 1: Buffer.concat([Buffer.from([6 << 4, 0]), deflateSync('')]) })
  expect(open()(1)).toBeUndefined()
})

test('what all repositories of a run have is counted together', () => {
  const [first, second] = [repository(), repository()]
  const reading = new GitReading({})
  for (const { pack } of [first, second]) pack('a', { 1: packed('one') })
  first.open(reading)(1)
  expect(() => reading.count(nearlyAll)).not.toThrow()
  expect(() => {
    for (const { open } of Array(150).fill(second)) open(reading)(1)
  }).toThrow(tooMuch)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY])('after a length of %s nothing more is read', (length) => {
  const reading = new GitReading({})
  expect(() => reading.count(length)).toThrow(tooMuch)
  expect(() => reading.count(1)).toThrow(tooMuch)
})
