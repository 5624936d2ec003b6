import { dirname, join } from 'node:path'
import { catalogsIn } from '../../documents/load/catalog-folder.ts'
import { repositoryRoot } from '../../documents/load/git-repository.ts'
import { type Place, projectAt } from '../../documents/load/project.ts'
import { isFileError } from '../../file-system.ts'
import type { Host } from '../host.ts'
import { pipelineVariable } from '../pipeline.ts'

/** The catalogs beside one in its repository; none beside a repository, where other checkouts of it may be. */
export const besideIt = (folder: string): string[] =>
  [undefined, folder].includes(repositoryRoot(folder)) ? [] : catalogsBeside(folder)

/** The same, and where there is no repository those beside it, too. */
export const besideOrNear = (folder: string): string[] =>
  repositoryRoot(folder) === undefined ? catalogsBeside(folder) : besideIt(folder)

/** Whether what is beside a catalog may be what other jobs have of it: in a pipeline, where there is no repository. */
export const isBesideJobs = (folder: string, { env }: Pick<Host, 'env'>): boolean =>
  pipelineVariable(env) !== undefined && repositoryRoot(folder) === undefined

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

/** The other catalogs in the folder of one. */
const catalogsBeside = (folder: string): string[] => catalogsBelow(dirname(folder)).filter((path) => path !== folder)

/** The catalogs in a folder. */
export const catalogsBelow = (folder: string): string[] =>
  ifReadable(() => catalogsIn(folder).map((name) => join(folder, name)))

/** What is in a folder; nothing where that may be entered and not listed, as that of all homes often is. */
export function ifReadable<T>(look: () => T[]): T[] {
  try {
    return look()
  } catch (error) {
    if (!isFileError(error)) throw error
    return []
  }
}
