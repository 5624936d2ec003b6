import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import { catalogsIn, isMarked } from '../../documents/load/catalog-folder.ts'
import { repositoryRoot } from '../../documents/load/git-repository.ts'
import { isFoundName, isIgnored, isType } from '../../documents/load/inputs.ts'
import { type Place, projectAt } from '../../documents/load/project.ts'
import { isFileError } from '../../file-system.ts'
import type { Host } from '../host.ts'
import { pipelineVariable } from '../pipeline.ts'

/** The catalogs beside one in its repository; none beside a repository, where other checkouts of it may be. */
export const besideIt = (folder: string): string[] =>
  [undefined, folder].includes(repositoryRoot(folder)) ? [] : catalogsBeside(folder)

/** The same, and where there is no repository those beside it, too: in a pipeline they may be of other jobs. */
export const besideOrNear = (folder: string, { env }: Pick<Host, 'env'>): string[] =>
  repositoryRoot(folder) === undefined && pipelineVariable(env) === undefined
    ? catalogsBeside(folder)
    : besideIt(folder)

/**
 * The catalogs beside one that is in no repository, as of one that was exported without `.git`, but for those of the same
 * name.
 */
export async function besideExported(folder: string, place: Place): Promise<string[]> {
  if (repositoryRoot(folder) !== undefined) return []
  const own = (await projectAt(folder, place))?.catalog
  const found = catalogsBeside(folder).map(async (path) => {
    const isSame = own !== undefined && (await projectAt(path, place))?.catalog === own
    return isSame ? [] : [path]
  })
  return (await Promise.all(found)).flat()
}

/**
 * The files that can hold documents in the folders beside a catalog that is in no repository, as far as nothing marks those as
 * catalogs or repositories: the nearest files that are not too large together, as most of a disk may be there.
 */
export function unmarkedBeside(folder: string): string[] {
  if (repositoryRoot(folder) !== undefined) return []
  const found: string[] = []
  const folders = unmarkedIn(dirname(folder), entriesOf(dirname(folder))).filter((path) => path !== folder)
  let left: number = limits.beside
  let bytes: number = limits.besideBytes
  const fits = (path: string) => {
    const { size } = statSync(path)
    if (size > bytes) return false
    bytes -= size
    return true
  }
  for (const one of folders) {
    if (left === 0) break
    const entries = entriesOf(one).slice(0, left)
    left -= entries.length
    folders.push(...unmarkedIn(one, entries))
    const files = entries.filter(({ name }) => isFoundName(name)).map(({ name }) => join(one, name))
    found.push(...files.filter((path) => isType(path, 'isFile') && fits(path)))
  }
  return found
}

const entriesOf = (folder: string): Dirent[] => ifReadable(() => readdirSync(folder, { withFileTypes: true }))

/** Those of the entries of a folder that are folders, and that nothing marks. */
const unmarkedIn = (folder: string, entries: readonly Dirent[]): string[] =>
  entries
    .filter((entry) => entry.isDirectory() && !isIgnored(entry.name))
    .map(({ name }) => join(folder, name))
    .filter((path) => !isMarked(path) && !existsSync(join(path, '.git')))

/** The other catalogs in the folder of one. */
const catalogsBeside = (folder: string): string[] => catalogsBelow(dirname(folder)).filter((path) => path !== folder)

/** The catalogs in a folder. */
export const catalogsBelow = (folder: string): string[] =>
  ifReadable(() => catalogsIn(folder).map((name) => join(folder, name)))

/** What is in a folder; nothing where that may be entered and not listed, as that of all homes often is. */
function ifReadable<T>(look: () => T[]): T[] {
  try {
    return look()
  } catch (error) {
    if (!isFileError(error)) throw error
    return []
  }
}
