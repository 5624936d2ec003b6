import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { limits } from '../../contract/limits.ts'
import { projectFileName } from '../../contract/values.ts'
import { nearestWith } from '../../file-system.ts'
import { regularBytes } from '../../regular-file.ts'
import { isDocumentName, isFoundName } from './inputs.ts'
import { hasSign } from './ours.ts'

/** Whether a folder is a catalog: one that `vatom init` wrote to, one with a project file, or one with a file of our documents in it. */
export function isCatalogFolder(folder: string): boolean {
  if (isMarked(folder)) return true
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) => entry.isFile() && isFoundName(entry.name) && holdsDocument(join(folder, entry.name)),
  )
}

/** Whether a folder says that it is a catalog. */
export const isMarked = (folder: string) => ['.vatom', projectFileName].some((name) => existsSync(join(folder, name)))

/** The names of the folders in a folder that are marked as catalogs; none of their files is read. */
export const catalogsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isMarked(join(folder, entry.name)))
    .map(({ name }) => name)

/** The folder of the vatom.yaml that is nearest above all inputs, if each is a document file and they have the same. */
export function catalogAbove(inputs: readonly string[], cwd: string): string | undefined {
  const paths = inputs.map((input) => resolve(cwd, input))
  if (!paths.every((path) => isDocumentName(path) && statSync(path, { throwIfNoEntry: false })?.isFile()))
    return undefined
  const folders = [...new Set(paths.map((path) => dirname(path)))]
  const [catalog, ...others] = new Set(folders.map((folder) => nearestWith(projectFileName, folder)))
  return others.length === 0 ? catalog : undefined
}

function holdsDocument(file: string): boolean {
  try {
    const bytes = regularBytes(file, limits.searchedFile)
    return bytes !== undefined && hasSign(bytes.toString('latin1'))
  } catch {
    return false
  }
}
