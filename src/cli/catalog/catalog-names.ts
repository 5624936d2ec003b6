import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { projectFinder } from '../../documents/load/project.ts'
import { isWithin } from '../../file-system.ts'
import { usage } from '../failure/failure.ts'
import { shellWord } from '../io/text.ts'

/** The catalog of each input and file: as the nearest vatom.yaml says, else the folder that was named. */
export type Catalogs = Readonly<Record<string, string>>

/** The catalogs of inputs. */
export interface FoundCatalogs {
  readonly catalogs: Catalogs
  /** The folders of catalogs of which only a part was named. */
  readonly partial: readonly string[]
  /** The folders that were named, with all that is in them. */
  readonly whole: readonly string[]
  /** The folders of catalogs with a name, and their names. */
  readonly named: ReadonlyMap<string, string>
}

/** Finds the catalogs of inputs, and of the files that were read from them. Standard input is in none. */
export async function catalogsOf(
  inputs: readonly string[],
  files: readonly string[],
  cwd: string,
): Promise<FoundCatalogs> {
  const projectOf = projectFinder({ cwd })
  const named = inputs.filter((input) => input !== '-')
  const folders = named.map((input) => folderOf(resolve(cwd, input)))
  const catalogOf = async (path: string) => {
    const folder = folderOf(resolve(cwd, path))
    const project = await projectOf(folder)
    const [problem] = project?.problems ?? []
    if (problem)
      throw usage(`${problem.file} is not valid: ${problem.message}`, `check it: vatom validate ${shellWord(folder)}`)
    const outer = folders.find((one) => `${folder}/`.startsWith(join(one, '/'))) ?? folder
    const name = project?.catalog
    return { path, name, catalog: name ?? outer, folder: name === undefined ? outer : (project?.folder ?? outer) }
  }
  const exists = (path: string) => existsSync(resolve(cwd, path))
  const found = await Promise.all([...new Set([...named, ...files.filter(exists)])].map(catalogOf))
  // Of a pattern, only the files that it matches are in a catalog: the folder that it begins with may be in none.
  const touched = found.filter(({ path }) => exists(path))
  const whole = named.filter((input) => isFolder(resolve(cwd, input))).map((input) => realpathSync(resolve(cwd, input)))
  return {
    catalogs: Object.fromEntries(found.map(({ path, catalog }) => [path, catalog])),
    whole,
    named: new Map(found.flatMap(({ folder, name }) => (name === undefined ? [] : [[folder, name] as const]))),
    partial: [...new Set(touched.map(({ folder }) => folder))].filter(
      (folder) => !whole.some((outer) => isWithin(outer, folder)),
    ),
  }
}

/** The folder of a path: itself, or the nearest existing one above a file or pattern. */
function folderOf(path: string): string {
  return isFolder(path) ? realpathSync(path) : folderOf(dirname(path))
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** What a catalog is labelled with on a service; null for one that only this machine knows, by its folder. */
export const labelOf = (catalog: string): string | null => (isAbsolute(catalog) ? null : catalog)

/** The owner of a record, if it is a catalog with a name other than the given ones. */
export const otherNamed = (owner: string | undefined, catalogs: readonly string[]): string | undefined =>
  owner === undefined || catalogs.includes(owner) || labelOf(owner) === null ? undefined : owner
