import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isWithin, nameIn, realPath } from '../../file-system.ts'
import { commitOf } from './git-head.ts'
import { type EmptySubmodules, emptySubmodules, exportedSubmodule } from './git-modules.ts'
import { costs, type GitReading, madeOnce } from './git-reading.ts'
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

/**
 * What git knows of the repository around a folder and has not put there: submodules, and what a sparse checkout leaves out.
 * Of a repository that was exported, the submodules whose folders are empty. Nothing for a folder in no repository, or one
 * whose index is not of the usual form. Each repository is looked at once.
 */
export async function leftOutAround(folder: string, reading: GitReading): Promise<readonly LeftOut[]> {
  const root = repositoryRoot(folder)
  if (root !== undefined) return madeOnce(reading.leftOut, root, () => leftOutOf(root, reading))
  const exported = await emptySubmodules(folder, reading)
  return exported?.folders.map((path) => ({ path, reason: 'submodule' })) ?? []
}

async function leftOutOf(root: string, reading: GitReading): Promise<readonly LeftOut[]> {
  const found: LeftOut[] = []
  for (const one of await trackedIn(root, notableIn, reading)) {
    await reading.pause()
    found.push(...leftOutAs(one))
  }
  return found
}

function leftOutAs(one: Tracked | UnknownPart): LeftOut[] {
  const { path } = one
  if ('reason' in one) return isLeftOut(one.reason) ? [{ path, reason: one.reason }] : []
  const { mode, by } = one
  if (mode === modes.link) {
    const target = targetIn(path)
    return target === undefined ? [] : [{ path, reason: 'link', target }]
  }
  return by === 'skipped' && !existsSync(path) ? [{ path, reason: 'sparse' }] : []
}

/** What is to be known of a repository, by its folder. Throws a RangeError where too much was read. */
type EntriesOf = (root: string, reading: GitReading) => Promise<readonly Entry[] | undefined>

/**
 * What git keeps in a repository and in its submodules, and of which parts that is not known. What is in a submodule at
 * another commit is there as well. Where too much was read, the rest of the repository is not known.
 */
async function trackedIn(root: string, entriesOf: EntriesOf, reading: GitReading): Promise<(Tracked | UnknownPart)[]> {
  const found: (Tracked | UnknownPart)[] = []
  const whole = await withoutRangeErrors(() => addTracked(root, { entriesOf, reading, found }))
  return whole === undefined ? [...found, { path: gitOf(root), reason: 'untold' }] : found
}

interface Search {
  readonly entriesOf: EntriesOf
  readonly reading: GitReading
  readonly found: (Tracked | UnknownPart)[]
}

/** Adds what a repository has to what was found. Throws a RangeError where too much was read. */
async function addTracked(root: string, search: Search): Promise<typeof search.found> {
  const { entriesOf, reading, found } = search
  const kept = await entriesOf(root, reading)
  if (kept === undefined) found.push({ path: gitOf(root), reason: isUnindexed(root, reading) ? 'unindexed' : 'untold' })
  for (const entry of kept ?? []) {
    const { name, mode, by } = entry
    reading.count(costs.path + (root.length + name.length) * costs.character)
    // The text of a link is read.
    if (mode === modes.link) reading.count(costs.read)
    const path = join(root, name)
    if (mode === modes.folder) found.push({ path, reason: by === 'commit' ? 'uncovered' : 'sparse' })
    else if (mode === modes.submodule) await addSubmodule(root, entry, search)
    else found.push({ path, mode, by })
  }
  return found
}

async function addSubmodule(root: string, { name, by, commit }: Entry, search: Search): Promise<void> {
  const { reading, found } = search
  await reading.pause()
  reading.count(costs.submodule)
  const path = join(root, name)
  if (!isBelow(root, path)) return
  if (!(await isCheckedOut(path, reading)))
    return void found.push({ path, reason: by === 'commit' ? 'uncovered' : 'submodule' })
  const here = await withoutRangeErrors(async () => [commitOf(path, reading)])
  // Where that is not known, it is not known either what the repository of the submodule has.
  if (here !== undefined && here[0] !== commit) found.push({ path, reason: 'commit' })
  await addTracked(path, search)
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
 * folder that is a single entry of a sparse index, a folder or submodule that the commit has and the index lacks, the `.git` of
 * one that does not tell, or has no index, or a `.gitmodules` that names more than is looked at, or cannot be read.
 */
export interface UnknownPart extends Pick<Tracked, 'path'> {
  readonly reason:
    | 'submodule'
    | 'commit'
    | 'sparse'
    | 'uncovered'
    | 'untold'
    | 'unindexed'
    | NonNullable<EmptySubmodules['lack']>
}

/** Whether a part is unknown because git has left it out. */
const isLeftOut = (reason: UnknownPart['reason']): reason is Extract<UnknownPart['reason'], LeftOut['reason']> =>
  reason === 'submodule' || reason === 'commit' || reason === 'sparse'

/** What the repositories around some folders keep, in their indexes or the commits that they are at, with their submodules that are checked out; each is read once. */
export async function keptAround(folders: readonly string[], reading: GitReading): Promise<Kept> {
  const files: RepositoryFile[] = []
  const unknown: UnknownPart[] = []
  const roots = new Set<string>()
  for (const folder of folders) {
    const root = await repositoryAround(folder, reading)
    if (root !== undefined) roots.add(root)
    else for (const part of await exportedWithout(folder, reading)) unknown.push(part)
  }
  for (const root of roots)
    for (const one of await trackedIn(root, heldIn, reading)) {
      await reading.pause()
      if ('reason' in one) unknown.push(one)
      else if (isOfFile.has(one.mode)) files.push({ ...one, root, ...linkIn(one) })
    }
  return { files, unknown }
}

interface Kept {
  readonly files: readonly RepositoryFile[]
  readonly unknown: readonly UnknownPart[]
}

/** The folder of the repository around a folder, or of the outermost one of which that is a submodule; undefined in none. */
async function repositoryAround(folder: string, reading: GitReading): Promise<string | undefined> {
  const root = repositoryRoot(folder)
  const outer = root && (await repositoryOfSubmodule(root, reading))
  return outer === undefined ? root : repositoryAround(outer, reading)
}

/** The folder of the repository of which the one in a folder is a submodule; undefined if it is none. */
async function repositoryOfSubmodule(root: string, reading: GitReading): Promise<string | undefined> {
  const outer = repositoryRoot(dirname(root))
  if (outer === undefined) return undefined
  const own = relative(outer, root).split(sep).join('/')
  const kept = await withoutRangeErrors(() => keptIn(outer, reading))
  // The repository of a submodule is that of the one around it, which need not tell.
  const isPart =
    kept?.some(({ name, mode }) => mode === modes.submodule && name === own) ?? isType(join(root, '.git'), 'isFile')
  return isPart ? outer : undefined
}

/** The folder of the innermost submodule that a folder is in, also where its repository was exported; undefined in none. */
export async function submoduleAround(folder: string, reading: GitReading): Promise<string | undefined> {
  await reading.pause()
  const root = repositoryRoot(folder)
  if (root === undefined) return withoutRangeErrors(async () => exportedSubmodule(folder, reading))
  return (await repositoryOfSubmodule(root, reading)) && root
}

/** What is not known of the exported repository around a folder. */
async function exportedWithout(folder: string, reading: GitReading): Promise<UnknownPart[]> {
  const exported = await emptySubmodules(folder, reading)
  if (exported === undefined) return []
  const { file, folders, lack } = exported
  const empty = folders.map((path): UnknownPart => ({ path, reason: 'submodule' }))
  return lack === undefined ? empty : [...empty, { path: file, reason: lack }]
}

/** Whether a submodule was checked out: where that was interrupted, it has neither files nor an index that lists some. */
async function isCheckedOut(path: string, reading: GitReading): Promise<boolean> {
  if (!existsSync(join(path, '.git'))) return false
  const kept = (await keptIn(path, reading)) ?? []
  return kept.length > 0 || nameIn(path, (name) => name !== '.git') !== undefined
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

/** What a repository keeps, by its index; undefined where that cannot be read. */
async function keptIn(root: string, reading: GitReading): Promise<readonly Entry[] | undefined> {
  const index = await indexOf(root, reading)
  reading.count((index?.entries.length ?? 0) * costs.character)
  return index?.entries
}

/** The same, without the files that git expects in the checkout. */
const notableIn: EntriesOf = async (root, reading) =>
  (await keptIn(root, reading))?.filter(({ mode, by }) => by === 'skipped' || !isPlain.has(mode))

/** The same, with what the commit that the repository is at has and the index lacks, as where only a part was checked out. */
async function heldIn(root: string, reading: GitReading): Promise<readonly Entry[] | undefined> {
  const index = await indexOf(root, reading)
  if (index === undefined) return undefined
  const { entries, folders } = index
  const committed = await withoutRangeErrors(() => {
    reading.count(entries.length * costs.name)
    return onlyInCommit(root, { names: new Set(entries.map(({ name }) => name)), folders }, reading)
  })
  return (
    committed && [
      ...entries,
      ...committed.map(({ name, mode, id }): Entry => ({ name, mode, by: 'commit', commit: id })),
    ]
  )
}

/** The index of a repository, or of one to which nothing was added so far; undefined where that cannot be read, or is too large. */
function indexOf(root: string, reading: GitReading): Promise<Index | undefined> {
  const folder = gitFolder(root)
  const file = indexFile(folder)
  return madeOnce(reading.indexes, realPath(file), () => withoutRangeErrors(() => indexIn(folder, file, reading)))
}

async function indexIn(folder: string, file: string, reading: GitReading): Promise<Index | undefined> {
  const index = reading.file(file, perByte)
  if (!index) return isNew(folder, reading) ? { entries: [], folders: new Map() } : undefined
  const count = (path: string) => reading.count(costs.entry + path.length * costs.character)
  return readIndex(index, { count, pause: reading.pause })
}

/** How much a byte of an index counts: it is read and hashed. */
const perByte = 4

/** The index in the folder of a repository: in a hook of `git commit -a` or of some files, the one that is about to be committed. */
function indexFile(folder: string): string {
  const named = resolve(process.env.GIT_INDEX_FILE ?? '')
  return realPath(dirname(named)) === realPath(folder) ? named : join(folder, 'index')
}

/** The result; undefined where bytes are not of the form that they should have, or there are too many. */
async function withoutRangeErrors<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Whether a repository that has commits has no index, as a bare one of which nothing was checked out. */
function isUnindexed(root: string, reading: GitReading): boolean {
  const folder = gitFolder(root)
  return reading.names(folder).includes('HEAD') && !existsSync(indexFile(folder))
}

/** Whether nothing was added to a repository so far: then it has no index. */
function isNew(folder: string, reading: GitReading): boolean {
  const names = reading.names(folder)
  const hasSome = ['index', 'logs', 'packed-refs'].some((name) => names.includes(name))
  return names.includes('HEAD') && !hasSome && nameIn(join(folder, 'refs/heads')) === undefined
}

const isPlain: ReadonlySet<number> = new Set([modes.file, modes.program])
const isOfFile: ReadonlySet<number> = new Set([...isPlain, modes.link])
