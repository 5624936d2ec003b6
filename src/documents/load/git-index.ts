import { createHash } from 'node:crypto'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isWithin, namesIn, nearestWith } from '../../file-system.ts'
import { commitOf, gitFolder, regular } from './git-head.ts'
import { isType } from './inputs.ts'

/** A file or folder of a repository that git leaves out of its checkout, or has there at another commit. */
export interface LeftOut {
  /** Absolute. */
  readonly path: string
  /**
   * Why: a repository in it that was not checked out, or at another commit, a checkout of some folders only, or one that writes
   * links as texts, as on Windows.
   */
  readonly reason: 'submodule' | 'commit' | 'sparse' | 'link'
  /** The folder that a link leads to. */
  readonly target?: string
}

/** Finds what git has left out of the repository around a folder; each is read once. */
export function leftOutFinder() {
  const found = new Map<string, LeftOut[]>()
  return (folder: string): readonly LeftOut[] => {
    const root = nearestWith('.git', folder) ?? folder
    const known = found.get(root) ?? leftOutOf(root)
    found.set(root, known)
    return known
  }
}

/**
 * What git knows of the repository around a folder and has not put there: submodules, and what a sparse checkout leaves out.
 * Of a repository that was exported, the submodules whose folders are empty. Nothing for a folder in no repository, or one
 * whose index is not of the usual form.
 */
function leftOutOf(folder: string): LeftOut[] {
  const root = nearestWith('.git', folder)
  if (root === undefined) return exportedWithout(folder)
  return trackedIn(root).flatMap((one): LeftOut[] => {
    const { path } = one
    if ('reason' in one) return one.reason === 'untold' ? [] : [{ path, reason: one.reason }]
    const { mode, isSkipped } = one
    if (mode === modes.link) {
      const target = targetIn(path)
      return target === undefined ? [] : [{ path, reason: 'link', target }]
    }
    return isSkipped && !existsSync(path) ? [{ path, reason: 'sparse' }] : []
  })
}

/**
 * What git keeps in a repository and in its submodules, and of which parts that is not known. What is in a submodule at
 * another commit is there as well.
 */
function trackedIn(root: string, count = pathCounter()): (Tracked | UnknownPart)[] {
  const kept = keptIn(join(root, '.git'), count)
  if (kept === undefined) return [{ path: join(root, '.git'), reason: 'untold' }]
  return kept.flatMap(({ name, mode, isSkipped, commit }): (Tracked | UnknownPart)[] => {
    const path = join(root, name)
    if (mode === modes.folder) return [{ path, reason: 'sparse' }]
    if (mode !== modes.submodule) return [{ path, mode, isSkipped }]
    if (!isBelow(root, path)) return []
    if (!isCheckedOut(path)) return [{ path, reason: 'submodule' }]
    const isOther = (commitOf(path) ?? commit) !== commit
    return [...(isOther ? [{ path, reason: 'commit' as const }] : []), ...trackedIn(path, count)]
  })
}

interface Tracked extends Pick<Entry, 'mode' | 'isSkipped'> {
  /** Absolute. */
  readonly path: string
}

/** Whether what is at a path is below a folder, or nothing is there: git makes no other entry, and following one may not end. */
function isBelow(folder: string, path: string): boolean {
  if (!existsSync(path)) return true
  const [outer, inner] = [realpathSync(folder), realpathSync(path)]
  return inner !== outer && isWithin(outer, inner)
}

/** A file, or a link to one, that git keeps in a repository, also one that is not there. */
export interface RepositoryFile extends Pick<Tracked, 'path' | 'isSkipped'> {
  /** The folder of the repository. */
  readonly root: string
  /** Whether it is a link, also where git has written it as a text. */
  readonly isLink: boolean
  /** The folder that it leads to, where it is a link that is there as a text. */
  readonly target?: string | undefined
}

/**
 * A part of a repository of which it is not known what is in it: a submodule that is not checked out, or at another commit, a
 * folder that is a single entry of a sparse index, or the `.git` of one that does not tell.
 */
export interface UnknownPart extends Pick<Tracked, 'path'> {
  readonly reason: 'submodule' | 'commit' | 'sparse' | 'untold'
}

/** What the repositories around some folders keep, with their submodules that are checked out; each is read once. */
export function keptAround(folders: readonly string[]): {
  readonly files: readonly RepositoryFile[]
  readonly unknown: readonly UnknownPart[]
} {
  const roots = new Set(folders.flatMap((folder) => repositoryAround(folder) ?? []))
  const tracked = [...roots].flatMap((root) => trackedIn(root).map((one) => ({ ...one, root })))
  const exported = folders.filter((folder) => nearestWith('.git', folder) === undefined).flatMap(exportedWithout)
  return {
    files: tracked.flatMap((one) => ('mode' in one && isOfFile.has(one.mode) ? [{ ...one, ...linkIn(one) }] : [])),
    unknown: [...tracked.flatMap((one) => ('reason' in one ? [one] : [])), ...exported],
  }
}

/** The folder of the repository around a folder, or of the outermost one of which that is a submodule; undefined in none. */
function repositoryAround(folder: string): string | undefined {
  const root = nearestWith('.git', folder)
  if (root === undefined) return undefined
  const outer = nearestWith('.git', dirname(root))
  if (outer === undefined) return root
  const isRoot = ({ name, mode }: Entry) => mode === modes.submodule && join(outer, name) === root
  const kept = keptIn(join(outer, '.git'))
  // The repository of a submodule is that of the one around it, which need not tell.
  const isPart = kept?.some(isRoot) ?? isType(join(root, '.git'), 'isFile')
  return isPart ? repositoryAround(outer) : root
}

/** The submodules whose folders are empty where a repository was exported, as for a container: without `.git`, and without them. */
function exportedWithout(folder: string): (LeftOut & UnknownPart)[] {
  const root = nearestWith('.gitmodules', folder)
  const modules = root && regular(join(root, '.gitmodules'))
  if (!modules) return []
  const paths = submodulePaths(String(modules)).map((name) => join(root, name))
  return paths.filter(isEmpty).map((path) => ({ path, reason: 'submodule' }))
}

/** The paths of the submodules that a `.gitmodules` names. */
export const submodulePaths = (gitmodules: string): string[] =>
  gitmodules
    .split(/\r?\n/)
    .flatMap((line) => /^\s*path\s*=(.*)$/.exec(line)?.[1]?.trim() ?? [])
    .map((name) => name.replace(/^"(.*)"$/, '$1'))
    .filter(Boolean)

/** Whether a submodule was checked out: where that was interrupted, it has neither files nor an index that lists some. */
function isCheckedOut(path: string): boolean {
  const git = join(path, '.git')
  if (!existsSync(git)) return false
  return (keptIn(git) ?? []).length > 0 || namesIn(path).some((name) => name !== '.git')
}

/** Whether a folder has nothing in it, or is not there. */
const isEmpty = (path: string): boolean =>
  !existsSync(path) || (isType(path, 'isDirectory') && namesIn(path).length === 0)

/** Bytes that a path may have, as in other tools. */
const longestPath = 4096

/** Characters of all paths in a repository and its submodules, at most: twice as many as where half a million files are. */
const mostPaths = 2 ** 27

/** Counts the characters of a path; throws a RangeError for more than are read. */
type PathCounter = (characters: number) => void

function pathCounter(): PathCounter {
  let left = mostPaths
  return (characters) => {
    left -= characters
    if (left < 0) throw new RangeError('the paths are too long together')
  }
}

/** Whether something that git keeps is a link, and the folder to which its text leads if it is there as one. */
const linkIn = ({ mode, path }: Tracked): Pick<RepositoryFile, 'isLink' | 'target'> =>
  mode === modes.link ? { isLink: true, target: targetIn(path) } : { isLink: false }

/** The folder that a text names which is there in place of a link to it. */
function targetIn(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > longestPath) return undefined
  const target = resolve(dirname(path), String(regular(path)))
  return isType(target, 'isDirectory') ? target : undefined
}

/** What a repository keeps, by its index; undefined where that cannot be read, or has too many paths. */
function keptIn(git: string, count = pathCounter()): Entry[] | undefined {
  const folder = gitFolder(git)
  const index = regular(join(folder, 'index'))
  if (index) return entriesIn(index, (name) => count(git.length + name.length))
  return isNew(folder) ? [] : undefined
}

/** Whether nothing was added to a repository so far: then it has no index. */
function isNew(folder: string): boolean {
  const names = namesIn(folder)
  return names.includes('HEAD') && !['index', 'logs', 'packed-refs'].some((name) => names.includes(name))
}

interface Entry {
  readonly name: string
  readonly mode: number
  /** Whether git does not expect it in the checkout. */
  readonly isSkipped: boolean
  /** The commit of a submodule; undefined for other entries. */
  readonly commit: string | undefined
}

const modes = { folder: 0o040000, file: 0o100644, program: 0o100755, link: 0o120000, submodule: 0o160000 } as const
const isOfFile: ReadonlySet<number> = new Set([modes.file, modes.program, modes.link])
const known: ReadonlySet<number> = new Set(Object.values(modes))

/** Where the parts of an entry are, in bytes from its beginning; between them is its hash, and then 2 bytes of flags. */
const places = { mode: 24, hash: 40 } as const
const hasMore = 0x4000
const skipped = 0x4000
/** What is behind the entries of an index if most of them are in another file. */
const split = 'link'

/** The bytes of the hashes in an index, which ends with its own: it is of SHA-256, or, if it is not, of SHA-1. */
const hashLength = (index: Buffer): number =>
  createHash('sha256').update(index.subarray(0, -32)).digest().equals(index.subarray(-32)) ? 32 : 20

/**
 * The entries of an index, versions 2 to 4 of its format; undefined of one that is cut, split or of another form, or whose names
 * are refused.
 */
function entriesIn(index: Buffer, check: (name: string) => void): Entry[] | undefined {
  try {
    const version = index.readUInt32BE(4)
    if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined
    const flagsAt = places.hash + hashLength(index)
    const entries: Entry[] = []
    let place = 12
    for (let left = index.readUInt32BE(8); left > 0; left--) {
      const mode = index.readUInt32BE(place + places.mode)
      if (!known.has(mode)) return undefined
      const isLong = (index.readUInt16BE(place + flagsAt) & hasMore) !== 0
      const isSkipped = isLong && (index.readUInt16BE(place + flagsAt + 2) & skipped) !== 0
      const nameAt = place + flagsAt + (isLong ? 4 : 2)
      const { name, end } =
        version === 4 ? shortenedName(index, nameAt, entries.at(-1)?.name) : wholeName(index, nameAt)
      check(name)
      const commit = mode === modes.submodule ? index.toString('hex', place + places.hash, place + flagsAt) : undefined
      entries.push({ name, mode, isSkipped, commit })
      // An entry ends with one to eight zeros, so that its length is a multiple of eight; not in version 4.
      place = version === 4 ? end + 1 : place + Math.floor((end - place + 8) / 8) * 8
    }
    return index.toString('latin1', place, place + split.length) === split ? undefined : entries
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function wholeName(index: Buffer, from: number): { name: string; end: number } {
  const end = index.indexOf(0, from)
  if (end < 0) throw new RangeError('the name does not end')
  if (end - from > longestPath) throw new RangeError('the name is no path')
  return { name: index.toString('utf8', from, end), end }
}

/** A name that says how many bytes of the one before it are replaced by others at its end. */
function shortenedName(index: Buffer, from: number, before = ''): { name: string; end: number } {
  let place = from
  let byte = index.readUInt8(place++)
  let removed = byte & 0x7f
  while (byte & 0x80) {
    byte = index.readUInt8(place++)
    removed = ((removed + 1) << 7) | (byte & 0x7f)
  }
  const { name, end } = wholeName(index, place)
  const kept = Buffer.from(before)
  const length = kept.length - removed + end - place
  if (length > longestPath) throw new RangeError('the name is no path')
  return { name: kept.toString('utf8', 0, kept.length - removed) + name, end }
}
