import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { isWithin } from '../../file-system.ts'
import { managerDeclared, managerIn, type PackageManager, usualManager } from './package-managers.ts'
import { textAt } from './repository-files.ts'

const dependencies = ['dependencies', 'devDependencies', 'optionalDependencies']

/** How a repository gets vatom. */
export interface NpmProject {
  /** The folder in which vatom is installed; undefined where no package.json names it. */
  readonly folder: string | undefined
  readonly manager: PackageManager
  /** The folder whose lock file shows the tool; undefined where there is none. */
  readonly locked: string | undefined
  /** The folder whose package.json names the tool, where there is no lock file. */
  readonly declared: string | undefined
}

/**
 * How a repository gets vatom: in the nearest folder, from one of some folders up, whose package.json names it, or the one
 * above it that has the lock file of its workspace.
 */
export function npmProject(folders: readonly string[], root: string): NpmProject {
  const above = folders.flatMap((folder) => upTo(root, folder))
  const named = above.find(namesVatom)
  const places = named === undefined ? above : upTo(root, named)
  const locked = nearest(places, managerIn)
  const declared = locked === undefined ? nearest(places, managerNamedIn) : undefined
  const { manager } = locked ?? declared ?? { manager: usualManager }
  const isAbove = named !== undefined && manager.installsAtLockfile
  return {
    folder: isAbove ? (locked?.folder ?? named) : named,
    manager,
    locked: locked?.folder,
    declared: declared?.folder,
  }
}

interface Found {
  readonly folder: string
  readonly manager: PackageManager
}

/** The first of some folders that shows a tool. */
function nearest(
  folders: readonly string[],
  managerOf: (folder: string) => PackageManager | undefined,
): Found | undefined {
  for (const folder of folders) {
    const manager = managerOf(folder)
    if (manager !== undefined) return { folder, manager }
  }
  return undefined
}

/** A folder of a repository, and those above it up to the repository itself; none for a folder elsewhere. */
function upTo(root: string, folder: string): string[] {
  if (!isWithin(root, folder)) return []
  return folder === root ? [root] : [folder, ...upTo(root, dirname(folder))]
}

function namesVatom(folder: string): boolean {
  const project = packageIn(folder)
  return dependencies.some((key) => at(project, key, 'vatom') !== undefined)
}

const managerNamedIn = (folder: string): PackageManager | undefined =>
  managerDeclared(at(packageIn(folder), 'packageManager'))

/** What the package.json of a folder says; undefined where there is none, or it is no JSON. */
function packageIn(folder: string): unknown {
  const file = join(folder, 'package.json')
  return existsSync(file) ? parseJson(textAt(file) ?? '') : undefined
}
