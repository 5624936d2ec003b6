import { join, resolve } from 'node:path'
import type { GitReading } from './git-reading.ts'
import { gitFolder, lineIn } from './git-repository.ts'

/** The branch that a repository is on; undefined where it is on none, or that is not known. */
export function branchOf(root: string): string | undefined {
  const head = lineIn(join(gitFolder(root), 'HEAD')) ?? ''
  return /^ref: refs\/heads\/(.+)/.exec(head)?.[1]
}

/** The default branch of the repository that one was cloned from, as of then; undefined where that is not known. */
export function defaultBranchOf(root: string): string | undefined {
  const found = foldersOf(root).map((folder) => lineIn(join(folder, 'refs/remotes/origin/HEAD')) ?? '')
  return found.flatMap((head) => /^ref: refs\/remotes\/origin\/(.+)/.exec(head)?.[1] ?? [])[0]
}

/**
 * The commit that a repository is at; undefined where it is at none, or that is not known, as where a reftable has it. Throws a
 * RangeError where too much was read.
 */
export const commitOf = (root: string, reading: GitReading): string | undefined =>
  commitNamed('HEAD', foldersOf(root), reading)

/** The folders of a repository: what is of one worktree is in the first; what all of them share, as branches, in the last. */
function foldersOf(root: string): string[] {
  const folder = gitFolder(root)
  const common = lineIn(join(folder, 'commondir'))
  return common ? [folder, resolve(folder, common.trim())] : [folder]
}

/** The folder of a repository's objects. */
export const objectsOf = (root: string): string => join(foldersOf(root).at(-1) ?? root, 'objects')

/** How often git follows a name that stands for another one. */
const longestWay = 5

/** The commit that a name stands for in the folders of a repository. */
function commitNamed(
  name: string,
  folders: readonly string[],
  reading: GitReading,
  left = longestWay,
): string | undefined {
  const loose = folders.flatMap((folder) => lineIn(join(folder, name)) ?? []).map((line) => line.trim())[0]
  const [, other] = /^ref: *(\S.*)$/.exec(loose ?? '') ?? []
  if (other !== undefined) return left === 0 ? undefined : commitNamed(other, folders, reading, left - 1)
  return commitAt(loose ?? packed(name, folders, reading))
}

/** The line of the file in which git packs names, if it has one. */
function packed(name: string, folders: readonly string[], reading: GitReading): string | undefined {
  for (const folder of folders) {
    const lines = `${reading.file(join(folder, 'packed-refs')) ?? ''}\n`
    const end = lines.indexOf(` ${name}\n`)
    if (end >= 0) return lines.slice(lines.lastIndexOf('\n', end) + 1, end)
  }
  return undefined
}

const commitAt = (line = ''): string | undefined => /^(?:[\da-f]{64}|[\da-f]{40})(?= |$)/.exec(line)?.[0]
