import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { isWithin } from '../../file-system.ts'
import { managerIn, type PackageManager, usualManager } from './package-managers.ts'
import { textAt } from './repository-files.ts'

const dependencies = ['dependencies', 'devDependencies', 'optionalDependencies']

/** How a repository gets vatom. */
export interface NpmProject {
  /** The folder in which vatom is installed; undefined where no package.json names it. */
  readonly folder: string | undefined
  /** The folder of the lock file; undefined where there is none. */
  readonly locked: string | undefined
  readonly manager: PackageManager
}

/**
 * How a repository gets vatom: in the nearest folder, from one of some folders up, whose package.json names it, or the one
 * above it that has the lock file of its workspace.
 */
export function npmProject(folders: readonly string[], root: string): NpmProject {
  const above = folders.flatMap((folder) => upTo(root, folder))
  const named = above.find(namesVatom)
  const locked = (named === undefined ? above : upTo(root, named)).find(managerIn)
  const manager = (locked === undefined ? undefined : managerIn(locked)) ?? usualManager
  const isAbove = named !== undefined && manager.installsAtLockfile
  return { folder: isAbove ? (locked ?? named) : named, locked, manager }
}

/** A folder of a repository, and those above it up to the repository itself; none for a folder elsewhere. */
function upTo(root: string, folder: string): string[] {
  if (!isWithin(root, folder)) return []
  return folder === root ? [root] : [folder, ...upTo(root, dirname(folder))]
}

function namesVatom(folder: string): boolean {
  const file = join(folder, 'package.json')
  const project = existsSync(file) ? parseJson(textAt(file) ?? '') : undefined
  return dependencies.some((key) => at(project, key, 'vatom') !== undefined)
}
