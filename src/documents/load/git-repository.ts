import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { nearest, nearestWith, realPath } from '../../file-system.ts'
import { regularBytes } from '../../regular-file.ts'

/** The folder of the repository around an absolute folder: the nearest that has a `.git`, or for which the environment names one. */
export function repositoryRoot(folder: string): string | undefined {
  const tree = namedRepository()?.tree
  return nearest(folder, (one) => existsSync(join(one, '.git')) || (tree !== undefined && realPath(one) === tree))
}

/** Where git keeps what it knows of a repository: its `.git`, or what `GIT_DIR` names for it. */
export function gitOf(root: string): string {
  const named = namedRepository()
  return named !== undefined && realPath(root) === named.tree ? named.git : join(root, '.git')
}

/** The folder of a repository: `.git`, or where that is a file, as in worktrees and submodules, the one that it names. */
export const gitFolder = (root: string): string => folderNamedBy(gitOf(root))

function folderNamedBy(git: string): string {
  const [, folder] = /^gitdir: (.+)$/m.exec(String(regular(git))) ?? []
  return folder === undefined ? git : resolve(dirname(git), folder)
}

/** The repository that the environment names, as where files are deployed from a bare one; `tree` is the real path of its folder. */
function namedRepository(): { readonly git: string; readonly tree: string } | undefined {
  const { env } = process
  if (!env.GIT_DIR) return undefined
  const git = resolve(env.GIT_DIR)
  const tree = env.GIT_WORK_TREE || workTreeOf(folderNamedBy(git))
  return tree === undefined ? undefined : { git, tree: realPath(resolve(tree)) }
}

/**
 * The checkout of a repository that is named without one: what its settings say, or else the current folder, unless that is in
 * a checkout, as in hooks. None of a bare one.
 */
function workTreeOf(folder: string): string | undefined {
  const settings = String(regular(join(folder, 'config')) ?? '')
  const [, tree] = /^\s*worktree = (.+)$/m.exec(settings) ?? []
  if (tree !== undefined) return resolve(folder, tree)
  const current = resolve()
  return /^\s*bare = false$/m.test(settings) && nearestWith('.git', current) === undefined ? current : undefined
}

/** The bytes of a regular file, if it is one that can be read. The index of half a million files has a tenth of the largest. */
export function regular(path: string): Buffer | undefined {
  try {
    return regularBytes(path)
  } catch {
    return undefined
  }
}
