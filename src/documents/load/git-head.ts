import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { GitReading } from './git-reading.ts'
import { gitFolder, lineIfThere, lineIn, unlessGone } from './git-repository.ts'
import { isType } from './inputs.ts'

/** The branch that a repository is on; undefined where it is on none, or that is not known. */
export function branchOf(root: string): string | undefined {
  const head = lineIn(join(gitFolder(root), 'HEAD')) ?? ''
  return /^ref: refs\/heads\/(.+)/.exec(head)?.[1]
}

/** The default branch of the repository that one was cloned from, as of then; undefined where that is not known. */
export function defaultBranchOf(root: string): string | undefined {
  const found = foldersOf(root, lineIn).map((folder) => lineIn(join(folder, 'refs/remotes/origin/HEAD')) ?? '')
  return found.flatMap((head) => /^ref: refs\/remotes\/origin\/(.+)/.exec(head)?.[1] ?? [])[0]
}

/** The folder of a repository's objects. Throws a RangeError where that is damaged, or cannot be read. */
export const objectsOf = (root: string): string => join(foldersOf(root, lineIfThere).at(-1) ?? root, 'objects')

/** The folders of a repository: what is of one worktree is in the first; what all of them share, as branches, in the last. */
function foldersOf(root: string, read: (path: string) => string | undefined): readonly [string, ...string[]] {
  const folder = gitFolder(root)
  const common = read(join(folder, 'commondir'))?.trim()
  return common ? [folder, resolve(folder, common)] : [folder]
}

/** How often git follows a name that stands for another one. */
const longestWay = 5

/**
 * The commit that a repository is at; undefined where it is on a branch that has none yet. Throws a RangeError where that is not
 * known, because a file is damaged or cannot be read, or a reftable has it, and where too much was read.
 */
export function commitOf(root: string, reading: GitReading): string | undefined {
  const folders = foldersOf(root, lineIfThere)
  const [own] = folders
  const commit = commitNamedIn(lineIfThere(join(own, 'HEAD')), folders, reading)
  // Git logs which commits a repository was at: with such a log, the branch is lost, and not new.
  if (commit === undefined && isLogged(own)) throw new RangeError('the branch has no commit any more')
  return commit
}

const isLogged = (folder: string): boolean => unlessGone(() => statSync(join(folder, 'logs/HEAD'))) !== undefined

/** The commit that a line names, or that the name has for which it stands; undefined where nothing has that name. */
function commitNamedIn(
  line: string | undefined,
  folders: readonly string[],
  reading: GitReading,
  left = longestWay,
): string | undefined {
  const commit = commitAt(line)
  if (commit !== undefined) return commit
  // A folder or file of a branch does not begin with a dot: where the refs are a reftable, the name in HEAD does.
  const [, name] = /^ref: *(refs(?:\/[^./\s][^/\s]*)+)\s*$/.exec(line ?? '') ?? []
  if (name === undefined || left === 0) throw new RangeError('the name of a commit is of another form')
  const next = loose(name, folders) ?? packed(name, folders, reading)
  return next === undefined ? undefined : commitNamedIn(next, folders, reading, left - 1)
}

/** The line of the file that a name has of its own, if it has one. A folder in its place is of other names. */
const loose = (name: string, folders: readonly string[]): string | undefined =>
  folders
    .map((folder) => join(folder, name))
    .flatMap((path) => (isType(path, 'isDirectory') ? [] : (lineIfThere(path) ?? [])))[0]

/** The line of the file in which git packs names, if it has one. Throws a RangeError for a file that is cut. */
function packed(name: string, folders: readonly string[], reading: GitReading): string | undefined {
  for (const folder of folders) {
    const lines = String(reading.file(join(folder, 'packed-refs')) ?? '\n')
    if (!lines.endsWith('\n')) throw new RangeError('the file is cut')
    const end = lines.indexOf(` ${name}\n`)
    if (end >= 0) return lines.slice(lines.lastIndexOf('\n', end) + 1, end)
  }
  return undefined
}

const commitAt = (line = ''): string | undefined => /^(?:[\da-f]{64}|[\da-f]{40})(?=\s|$)/.exec(line)?.[0]
