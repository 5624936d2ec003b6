import { createHash } from 'node:crypto'
import { distanceAt } from './git-numbers.ts'
import { folderMode, type Indexed, longestPath } from './git-tree.ts'

/** Something that git keeps in a repository. */
export interface Entry {
  /** Its path below the repository. */
  readonly name: string
  readonly mode: number
  /** Where git keeps it: in the index, there as what it does not expect in the checkout, or only in the commit that is checked out. */
  readonly by: 'index' | 'skipped' | 'commit'
  /** The commit of a submodule. */
  readonly commit: string | undefined
}

export interface Index extends Pick<Indexed, 'folders'> {
  readonly entries: Entry[]
}

export const modes = {
  folder: folderMode,
  file: 0o100644,
  program: 0o100755,
  link: 0o120000,
  submodule: 0o160000,
} as const
const known: ReadonlySet<number> = new Set(Object.values(modes))

/** Where the parts of an entry are, in bytes from its beginning; between them is its hash, and then 2 bytes of flags. */
const places = { mode: 24, hash: 40 } as const
const hasMore = 0x4000
const skipped = 0x4000
/** The parts behind the entries of an index: that most of them are in another file, and the folders that are as in a commit. */
const parts = { split: 'link', folders: 'TREE' } as const

/** The bytes of the hashes in an index, which ends with its own: it is of SHA-256, or, if it is not, of SHA-1. */
const hashLength = (index: Buffer): number =>
  createHash('sha256').update(index.subarray(0, -32)).digest().equals(index.subarray(-32)) ? 32 : 20

interface ReadIndexOptions {
  /** Counts each path that is remembered; throws a RangeError for too many. */
  readonly count: (path: string) => void
  /** Lets signals arrive. */
  readonly pause: () => Promise<void>
}

/** Entries that are read before signals may arrive. */
const atOnce = 1000

/**
 * An index, versions 2 to 4 of its format; undefined of one that is split or of another form. Throws a RangeError for one that
 * is cut, or has more than is read.
 */
export async function readIndex(index: Buffer, { count, pause }: ReadIndexOptions): Promise<Index | undefined> {
  const version = index.readUInt32BE(4)
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined
  const idLength = hashLength(index)
  const flagsAt = places.hash + idLength
  const entries: Entry[] = []
  let place = 12
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (left % atOnce === 0) await pause()
    const mode = index.readUInt32BE(place + places.mode)
    if (!known.has(mode)) return undefined
    const isLong = (index.readUInt16BE(place + flagsAt) & hasMore) !== 0
    const isSkipped = isLong && (index.readUInt16BE(place + flagsAt + 2) & skipped) !== 0
    const nameAt = place + flagsAt + (isLong ? 4 : 2)
    const { name, end } = version === 4 ? shortenedName(index, nameAt, entries.at(-1)?.name) : wholeName(index, nameAt)
    count(name)
    const commit = mode === modes.submodule ? index.toString('hex', place + places.hash, place + flagsAt) : undefined
    entries.push({ name, mode, by: isSkipped ? 'skipped' : 'index', commit })
    // An entry ends with one to eight zeros, so that its length is a multiple of eight; not in version 4.
    place = version === 4 ? end + 1 : place + Math.floor((end - place + 8) / 8) * 8
  }
  const further = partsOf(index.subarray(place, -idLength))
  return further.has(parts.split)
    ? undefined
    : { entries, folders: foldersIn(further.get(parts.folders), idLength, count) }
}

/** The parts behind the entries: each has its name of 4 letters, its length, and its bytes. */
function partsOf(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (let place = 0; place + 8 <= bytes.length; ) {
    const end = place + 8 + bytes.readUInt32BE(place + 4)
    found.set(bytes.toString('latin1', place, place + 4), bytes.subarray(place + 8, end))
    place = end
  }
  return found
}

/**
 * The ids of folders that are in an index as in a commit, by their paths. Each has its name, a zero, how many entries it has
 * (-1 where it is not as in a commit, and has no id), how many folders, and its id; then come these folders.
 */
function foldersIn(
  bytes: Buffer | undefined,
  idLength: number,
  count: ReadIndexOptions['count'],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (bytes === undefined) return found
  let place = 0
  const readFolder = (outer: string): void => {
    const zero = bytes.indexOf(0, place)
    const end = bytes.indexOf('\n', zero)
    const path = outer + bytes.toString('utf8', place, zero)
    const [entries = 0, inner = 0] = bytes
      .toString('latin1', zero + 1, end)
      .split(' ')
      .map(Number)
    if (zero < 0 || end < zero || path.length > longestPath) throw new RangeError('the folders are of another form')
    count(path)
    place = end + 1
    if (entries >= 0) {
      found.set(path, bytes.toString('hex', place, place + idLength))
      place += idLength
    }
    for (let left = inner; left > 0; left--) readFolder(path && `${path}/`)
  }
  readFolder('')
  return found
}

function wholeName(index: Buffer, from: number): { name: string; end: number } {
  const end = index.indexOf(0, from)
  if (end < 0) throw new RangeError('the name does not end')
  if (end - from > longestPath) throw new RangeError('the name is no path')
  return { name: index.toString('utf8', from, end), end }
}

/** A name that says how many bytes of the one before it are replaced by others at its end. */
function shortenedName(index: Buffer, from: number, before = ''): { name: string; end: number } {
  const removed = distanceAt(index, from)
  const { name, end } = wholeName(index, removed.end)
  const kept = Buffer.from(before)
  const left = kept.length - removed.value
  if (left + end - removed.end > longestPath) throw new RangeError('the name is no path')
  return { name: kept.toString('utf8', 0, left) + name, end }
}
