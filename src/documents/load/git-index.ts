import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isWithin, namesIn, nearestWith, realPath } from '../../file-system.ts'
import { commitOf } from './git-head.ts'
import { gitFolder, gitOf, regular, repositoryRoot } from './git-repository.ts'
import { longestPath, onlyInCommit } from './git-tree.ts'
import { isType } from './inputs.ts'
import { type Entry, type Index, modes, readIndex } from './read-git-index.ts'

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
    const root = repositoryRoot(folder) ?? folder
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
  const root = repositoryRoot(folder)
  if (root === undefined) return exportedWithout(folder)
  return trackedIn(root, keptIn).flatMap((one): LeftOut[] => {
    const { path } = one
    if ('reason' in one) return isUnknownAlone(one.reason) ? [] : [{ path, reason: one.reason }]
    const { mode, by } = one
    if (mode === modes.link) {
      const target = targetIn(path)
      return target === undefined ? [] : [{ path, reason: 'link', target }]
    }
    return by === 'skipped' && !existsSync(path) ? [{ path, reason: 'sparse' }] : []
  })
}

/**
 * What git keeps in a repository and in its submodules, and of which parts that is not known. What is in a submodule at
 * another commit is there as well.
 */
function trackedIn(root: string, entriesOf: typeof keptIn, count = pathCounter()): (Tracked | UnknownPart)[] {
  const kept = entriesOf(root, count)
  if (kept === undefined) return [{ path: gitOf(root), reason: isUnindexed(gitFolder(root)) ? 'unindexed' : 'untold' }]
  return kept.flatMap(({ name, mode, by, commit }): (Tracked | UnknownPart)[] => {
    const path = join(root, name)
    if (mode === modes.folder) return [{ path, reason: by === 'commit' ? 'uncovered' : 'sparse' }]
    if (mode !== modes.submodule) return [{ path, mode, by }]
    if (!isBelow(root, path)) return []
    if (!isCheckedOut(path)) return [{ path, reason: by === 'commit' ? 'uncovered' : 'submodule' }]
    const isOther = (commitOf(path) ?? commit) !== commit
    return [...(isOther ? [{ path, reason: 'commit' as const }] : []), ...trackedIn(path, entriesOf, count)]
  })
}

interface Tracked extends Pick<Entry, 'mode' | 'by'> {
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
export interface RepositoryFile extends Pick<Tracked, 'path' | 'by'> {
  /** The folder of the repository. */
  readonly root: string
  /** Whether it is a link, also where git has written it as a text. */
  readonly isLink: boolean
  /** The folder that it leads to, where it is a link that is there as a text. */
  readonly target?: string | undefined
}

/**
 * A part of a repository of which it is not known what is in it: a submodule that is not checked out, or at another commit, a
 * folder that is a single entry of a sparse index, a folder or submodule that the commit has and the index lacks, or the `.git`
 * of one that does not tell, or has no index.
 */
export interface UnknownPart extends Pick<Tracked, 'path'> {
  readonly reason: 'submodule' | 'commit' | 'sparse' | 'uncovered' | 'untold' | 'unindexed'
}

/** Whether a part is unknown for another reason than that git has left it out. */
const isUnknownAlone = (reason: UnknownPart['reason']): reason is Exclude<UnknownPart['reason'], LeftOut['reason']> =>
  reason === 'untold' || reason === 'unindexed' || reason === 'uncovered'

/** What the repositories around some folders keep, in their indexes or the commits that they are at, with their submodules that are checked out; each is read once. */
export function keptAround(folders: readonly string[]): {
  readonly files: readonly RepositoryFile[]
  readonly unknown: readonly UnknownPart[]
} {
  const roots = new Set(folders.flatMap((folder) => repositoryAround(folder) ?? []))
  const tracked = [...roots].flatMap((root) => trackedIn(root, heldIn).map((one) => ({ ...one, root })))
  const exported = folders.filter((folder) => repositoryRoot(folder) === undefined).flatMap(exportedWithout)
  return {
    files: tracked.flatMap((one) => ('mode' in one && isOfFile.has(one.mode) ? [{ ...one, ...linkIn(one) }] : [])),
    unknown: [...tracked.flatMap((one) => ('reason' in one ? [one] : [])), ...exported],
  }
}

/** The folder of the repository around a folder, or of the outermost one of which that is a submodule; undefined in none. */
function repositoryAround(folder: string): string | undefined {
  const root = repositoryRoot(folder)
  const outer = root && repositoryOfSubmodule(root)
  return outer === undefined ? root : repositoryAround(outer)
}

/** The folder of the repository of which the one in a folder is a submodule; undefined if it is none. */
function repositoryOfSubmodule(root: string): string | undefined {
  const outer = repositoryRoot(dirname(root))
  if (outer === undefined) return undefined
  const isRoot = ({ name, mode }: Entry) => mode === modes.submodule && join(outer, name) === root
  const kept = keptIn(outer)
  // The repository of a submodule is that of the one around it, which need not tell.
  const isPart = kept?.some(isRoot) ?? isType(join(root, '.git'), 'isFile')
  return isPart ? outer : undefined
}

/** The folder of the innermost submodule that a folder is in, also where its repository was exported; undefined in none. */
export function submoduleAround(folder: string): string | undefined {
  const root = repositoryRoot(folder)
  if (root === undefined) return exportedSubmodule(folder, folder)
  return repositoryOfSubmodule(root) && root
}

/** The submodule that a folder is in, as a `.gitmodules` in a folder or above it names it. */
function exportedSubmodule(folder: string, from: string): string | undefined {
  const root = nearestWith('.gitmodules', from)
  if (root === undefined) return undefined
  const found = submodulesOf(root).find((path) => isWithin(path, folder))
  return found ?? exportedSubmodule(folder, dirname(root))
}

/** The submodules whose folders are empty where a repository was exported, as for a container: without `.git`, and without them. */
function exportedWithout(folder: string): (LeftOut & UnknownPart)[] {
  const root = nearestWith('.gitmodules', folder)
  const paths = root === undefined ? [] : submodulesOf(root)
  return paths.filter(isEmpty).map((path) => ({ path, reason: 'submodule' }))
}

/** The folders of the submodules that the `.gitmodules` in a folder names. */
const submodulesOf = (root: string): string[] =>
  submodulePaths(String(regular(join(root, '.gitmodules')) ?? '')).map((name) => join(root, name))

/** The paths of the submodules that a `.gitmodules` names. */
export const submodulePaths = (gitmodules: string): string[] =>
  gitmodules
    .split(/\r?\n/)
    .flatMap((line) => /^\s*path\s*=(.*)$/.exec(line)?.[1]?.trim() ?? [])
    .map((name) => name.replace(/^"(.*)"$/, '$1'))
    .filter(Boolean)

/** Whether a submodule was checked out: where that was interrupted, it has neither files nor an index that lists some. */
function isCheckedOut(path: string): boolean {
  if (!existsSync(join(path, '.git'))) return false
  return (keptIn(path) ?? []).length > 0 || namesIn(path).some((name) => name !== '.git')
}

/** Whether a folder has nothing in it, or is not there. */
const isEmpty = (path: string): boolean =>
  !existsSync(path) || (isType(path, 'isDirectory') && namesIn(path).length === 0)

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
const keptIn = (root: string, count = pathCounter()): Entry[] | undefined => indexOf(root, count)?.entries

/** The same, with what the commit that the repository is at has and the index lacks, as where only a part was checked out. */
function heldIn(root: string, count = pathCounter()): Entry[] | undefined {
  const index = indexOf(root, count)
  if (index === undefined) return undefined
  const names = new Set(index.entries.map(({ name }) => name))
  const committed = withoutRangeErrors(() => {
    const entries = onlyInCommit(root, { names, folders: index.folders })
    for (const { name } of entries ?? []) count(root.length + name.length)
    return entries
  })
  return (
    committed && [
      ...index.entries,
      ...committed.map(({ name, mode, id }): Entry => ({ name, mode, by: 'commit', commit: id })),
    ]
  )
}

function indexOf(root: string, count: PathCounter): Index | undefined {
  const folder = gitFolder(root)
  const index = regular(indexFile(folder))
  if (index) return withoutRangeErrors(() => readIndex(index, (name) => count(root.length + name.length)))
  return isNew(folder) ? { entries: [], folders: new Map() } : undefined
}

/** The index in the folder of a repository: in a hook of `git commit -a` or of some files, the one that is about to be committed. */
function indexFile(folder: string): string {
  const named = resolve(process.env.GIT_INDEX_FILE ?? '')
  return realPath(dirname(named)) === realPath(folder) ? named : join(folder, 'index')
}

/** The result; undefined where bytes are not of the form that they should have, or there are too many. */
function withoutRangeErrors<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Whether a repository that has commits has no index, as a bare one of which nothing was checked out. */
const isUnindexed = (folder: string): boolean => namesIn(folder).includes('HEAD') && !existsSync(indexFile(folder))

/** Whether nothing was added to a repository so far: then it has no index. */
function isNew(folder: string): boolean {
  const names = namesIn(folder)
  const hasSome = ['index', 'logs', 'packed-refs'].some((name) => names.includes(name))
  return names.includes('HEAD') && !hasSome && namesIn(join(folder, 'refs/heads')).length === 0
}

const isOfFile: ReadonlySet<number> = new Set([modes.file, modes.program, modes.link])
