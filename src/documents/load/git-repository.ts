import { existsSync, lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isGone, nearest, nearestWith, realPath } from '../../file-system.ts'
import { regularBytes } from '../../regular-file.ts'

/** The folder of the repository around an absolute folder: the nearest that has a `.git`, or for which the environment names one. */
export function repositoryRoot(folder: string): string | undefined {
  const tree = namedRepository()?.tree
  return nearest(folder, (one) => isThere(join(one, '.git')) || (tree !== undefined && realPath(one) === tree))
}

/** Whether something is at a path, also a link to nothing, as to a disk that is not mounted. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Where git keeps what it knows of a repository: its `.git`, or what `GIT_DIR` names for it. */
export function gitOf(root: string): string {
  const named = namedRepository()
  return named !== undefined && realPath(root) === named.tree ? named.git : join(root, '.git')
}

/** The folder of a repository: `.git`, or where that is a file, as in worktrees and submodules, the one that it names. */
export const gitFolder = (root: string): string => folderNamedBy(gitOf(root))

function folderNamedBy(git: string): string {
  const [, folder] = /^gitdir: (.+)$/m.exec(lineIn(git) ?? '') ?? []
  return folder === undefined ? git : resolve(dirname(git), folder)
}

/** Why a folder may be in the repository that the environment names, and it is not known what else is in that. */
export interface Unplaced {
  /** The path that the environment names, as it is there. */
  readonly given: string
  /** The same, absolute. */
  readonly git: string
  /** No repository can be read there; or it is a bare one, and nothing names the folder of its files. */
  readonly reason: 'unreadable' | 'treeless'
}

/** The same of an absolute folder; undefined where it is known, and for a folder in a repository of its own. */
export function unplacedIn(folder: string): Unplaced | undefined {
  const named = namedRepository()
  if (named === undefined) return undefined
  const { given, git, tree = '' } = named
  const root = repositoryRoot(folder)
  if (root !== undefined && gitOf(root) !== git) return undefined
  const kept = folderNamedBy(git)
  if (lineIn(join(kept, 'HEAD')) === undefined) return { given, git, reason: 'unreadable' }
  // What is of a linked worktree alone has no settings: its files are in a folder of their own.
  if (root !== undefined || existsSync(tree) || isThere(join(kept, 'commondir'))) return undefined
  if (!regular(join(kept, 'config'))?.length) return { given, git, reason: 'unreadable' }
  return setting(kept, 'bare') === 'false' ? undefined : { given, git, reason: 'treeless' }
}

interface NamedRepository extends Pick<Unplaced, 'given' | 'git'> {
  /** The real path of the folder of its files, where that is known. */
  readonly tree: string | undefined
}

/** The repository that the environment names, as where files are deployed from a bare one. */
function namedRepository(): NamedRepository | undefined {
  const { env } = process
  const given = env.GIT_DIR
  if (!given) return undefined
  const git = resolve(given)
  const tree = env.GIT_WORK_TREE || workTreeOf(folderNamedBy(git))
  return { given, git, tree: tree && realPath(resolve(tree)) }
}

/**
 * The checkout of a repository that is named without one: what its settings say, or else the current folder, unless that is in
 * a checkout, as in hooks. None of a bare one.
 */
function workTreeOf(folder: string): string | undefined {
  const tree = setting(folder, 'worktree')
  if (tree !== undefined) return resolve(folder, tree)
  const current = resolve()
  return setting(folder, 'bare') === 'false' && nearestWith('.git', current) === undefined ? current : undefined
}

/** What the settings of a repository say about it, as git writes them. */
function setting(folder: string, name: 'bare' | 'worktree'): string | undefined {
  const settings = String(regular(join(folder, 'config')) ?? '')
  return new RegExp(`^[ \\t]*${name} = (.+)$`, 'm').exec(settings)?.[1]
}

/** Bytes of a file that has one path, or the name of a commit, at most. */
const longestLine = 8192

/** The text of a file that has only a line, if it is one, and can be read. */
export const lineIn = (path: string): string | undefined => regular(path, longestLine)?.toString()

/** The same; undefined only where nothing is there. Throws a RangeError for a file that says nothing, or cannot be read. */
export function lineIfThere(path: string): string | undefined {
  const line = regularIfThere(path, longestLine)?.toString()
  if (line?.trim() === '') throw new RangeError('the file says nothing')
  return line
}

/** The bytes of a regular file, if it is one that can be read, and has no more than `most`. The index of half a million files has a tenth of the largest. */
export function regular(path: string, most?: number): Buffer | undefined {
  try {
    return regularBytes(path, most)
  } catch {
    return undefined
  }
}

/** The same; undefined only where nothing is there. Throws a RangeError for what is no such file, or cannot be read. */
export const regularIfThere = (path: string, most?: number): Buffer | undefined =>
  unlessGone(() => regularBytes(path, most))

/** What is read; undefined only where nothing is there. Throws a RangeError for what cannot be read. */
export function unlessGone<T>(read: () => T | undefined): T | undefined {
  try {
    const found = read()
    if (found !== undefined) return found
  } catch (error) {
    if (isGone(error)) return undefined
  }
  throw new RangeError('what is there cannot be read')
}
