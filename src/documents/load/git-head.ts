import { join, resolve } from 'node:path'
import { gitFolder, regular } from './git-repository.ts'

/** The branch that a repository is on; undefined where it is on none, or that is not known. */
export function branchOf(root: string): string | undefined {
  const head = regular(join(gitFolder(root), 'HEAD'))
  return /^ref: refs\/heads\/(.+)/.exec(String(head))?.[1]
}

/** The default branch of the repository that one was cloned from, as of then; undefined where that is not known. */
export function defaultBranchOf(root: string): string | undefined {
  const found = foldersOf(root).map((folder) => String(regular(join(folder, 'refs/remotes/origin/HEAD'))))
  return found.flatMap((head) => /^ref: refs\/remotes\/origin\/(.+)/.exec(head)?.[1] ?? [])[0]
}

/** The commit that a repository is at; undefined where it is at none, or that is not known, as where a reftable has it. */
export const commitOf = (root: string): string | undefined => commitNamed('HEAD', foldersOf(root))

/** The folders of a repository: what is of one worktree is in the first; what all of them share, as branches, in the last. */
function foldersOf(root: string): string[] {
  const folder = gitFolder(root)
  const common = regular(join(folder, 'commondir'))
  return common ? [folder, resolve(folder, String(common).trim())] : [folder]
}

/** The folder of a repository's objects. */
export const objectsOf = (root: string): string => join(foldersOf(root).at(-1) ?? root, 'objects')

/** How often git follows a name that stands for another one. */
const longestWay = 5

/** The commit that a name stands for in the folders of a repository. */
function commitNamed(name: string, folders: readonly string[], left = longestWay): string | undefined {
  const loose = folders.flatMap((folder) => regular(join(folder, name)) ?? []).map((bytes) => String(bytes).trim())[0]
  const [, other] = /^ref: *(\S.*)$/.exec(loose ?? '') ?? []
  if (other !== undefined) return left === 0 ? undefined : commitNamed(other, folders, left - 1)
  return commitAt(loose ?? packed(name, folders))
}

/** The line of the file in which git packs names, if it has one. */
function packed(name: string, folders: readonly string[]): string | undefined {
  const lines = folders.flatMap((folder) => String(regular(join(folder, 'packed-refs')) ?? '').split('\n'))
  return lines.find((line) => line.endsWith(` ${name}`))
}

const commitAt = (line = ''): string | undefined => /^(?:[\da-f]{64}|[\da-f]{40})(?= |$)/.exec(line)?.[0]
