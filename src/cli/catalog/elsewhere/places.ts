import { dirname, relative, sep } from 'node:path'
import { projectFileName } from '../../../contract/values.ts'
import { type InputFile, isFoundName, isIgnored, isType } from '../../../documents/load/inputs.ts'
import { isLeftOut, type ProjectOf } from '../../../documents/load/project.ts'
import { isWithin, nearestWith } from '../../../file-system.ts'

export const isFile = (path: string): boolean => isType(path, 'isFile')

/** Whether there is neither a file nor a folder: nothing, or a pipe or device in the place of one. */
export const isAbsent = (path: string): boolean => !isFile(path) && !isType(path, 'isDirectory')

/** The folder of the catalog of a file: the nearest with a vatom.yaml. */
export const catalogOf = ({ path = '' }: Pick<InputFile, 'path'>): string | undefined =>
  nearestWith(projectFileName, dirname(path))

/** Whether a file, by its name and place, can hold documents of a catalog. */
export function isOfCatalog({ path }: { readonly path: string }): boolean {
  const folder = catalogOf({ path })
  return folder !== undefined && isFoundName(path) && isFoundFrom(folder, path)
}

/** Whether a file is found in a folder that is named itself. */
export const isFoundFrom = (folder: string, path: string): boolean =>
  !relative(folder, dirname(path)).split(sep).some(isIgnored)

/** Whether a file is found in one of some folders that are named themselves, and that of their catalogs none ignores it. */
export async function isFoundIn(folders: readonly string[], path: string, projectOf: ProjectOf): Promise<boolean> {
  for (const folder of folders)
    if (isWithin(folder, path) && isFoundFrom(folder, path) && !(await isLeftOut(path, folder, projectOf))) return true
  return false
}
