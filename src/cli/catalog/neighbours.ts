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

/** The files beside a catalog, as far as they are looked at: most of a disk may be there. */
interface Beside {
  readonly files: readonly string[]
  readonly isWhole: boolean
}

/**
 * The files that can hold documents in the folders beside a catalog that is in no repository, as far as nothing marks those as
 * catalogs or repositories.
 */
export function unmarkedBeside(folder: string): Beside {
  if (repositoryRoot(folder) !== undefined) return { files: [], isWhole: true }
  const files: string[] = []
  const folders = unmarkedIn(dirname(folder), entriesOf(dirname(folder))).filter((path) => path !== folder)
  let bytes = 0
  for (const one of folders) {
    const entries = entriesOf(one)
    folders.push(...unmarkedIn(one, entries))
    for (const { name } of entries) {
      const path = join(one, name)
      if (!isFoundName(name) || !isType(path, 'isFile')) continue
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      // No file of documents is larger.
      if (size > limits.file) continue
      files.push(path)
      bytes += size
    }
    if (folders.length + files.length > limits.beside || bytes > limits.besideBytes) return { files, isWhole: false }
  }
  return { files, isWhole: true }
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
