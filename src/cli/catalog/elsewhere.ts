import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import { sectionOf } from '../../contract/vatom/complete.ts'
import { catalogsIn } from '../../documents/load/catalog-folder.ts'
import { findInputs, type InputFile, isFoundName, isIgnored } from '../../documents/load/inputs.ts'
import { readOurs } from '../../documents/load/ours.ts'
import { readFile } from '../../documents/load/read-file.ts'
import { folderFrom, isWithin, nearestWith } from '../../file-system.ts'
import { type Context, once } from '../context.ts'
import { sourceOf } from '../kinds/load-checked.ts'
import { pipelineVariable } from '../pipeline.ts'
import { labelOf } from './catalog-names.ts'
import { repositoryFiles } from './git-index.ts'
import { folderKey, type Owners, ownKey } from './owners.ts'

/** The folders in which files describe records, by `ownKey`. */
export type Elsewhere = ReadonlyMap<string, string>

/** Folders that are looked at, and whose records. */
interface Look {
  /** The folders whose files are left out. */
  readonly own: readonly string[]
  readonly publisher: string
  readonly owners: Owners
}

/**
 * What files outside of some folders describe: those of their repositories, of catalogs beside them there, and of folders
 * that were applied on this machine. It is read once, when it is asked for.
 */
export const elsewhereOf = ({ own, publisher, owners }: Look, context: Context): (() => Promise<Elsewhere>) =>
  once(async () => {
    const { cwd } = context.host
    const folders = [...own.flatMap(besideIt), ...appliedFolders(owners, context)]
    const found = [...own.flatMap((folder) => tracked(folder, cwd)), ...(await below(folders, cwd))]
    const others = found.filter(({ path = '' }) => !own.some((folder) => isWithin(folder, path)))
    const files = [...new Map(others.map((one) => [one.path, one])).values()]
    const { ours } = await readOurs(files, sourceOf(context), async (input, bytes) => ({
      folder: folderFrom(cwd, catalogFolder(input)),
      ...(await readFile(input, bytes, { publisher })),
    }))
    return new Map(
      ours.flatMap(({ folder, candidates }) =>
        candidates.map(({ kind, value }) => [ownKey(kind, sectionOf(value)), folder] as const),
      ),
    )
  })

/** The folder of the catalog of a file: the nearest with a vatom.yaml, else its own. */
function catalogFolder({ path = '' }: InputFile): string {
  return nearestWith(projectFileName, dirname(path)) ?? dirname(path)
}

/** The files in folders that still exist, as the other commands find them. */
async function below(folders: readonly string[], cwd: string): Promise<readonly InputFile[]> {
  const there = folders.filter((folder) => existsSync(folder))
  return (await findInputs(there, cwd)).files
}

/** The files of the repository around a folder that can hold documents. */
function tracked(folder: string, cwd: string): InputFile[] {
  const root = nearestWith('.git', folder)
  if (root === undefined) return []
  return repositoryFiles(root)
    .filter((path) => isFoundName(path) && !relative(root, path).split(sep).some(isIgnored) && existsSync(path))
    .map((path) => ({ file: relative(cwd, path), path, named: false }))
}

/** The catalogs beside one in its repository; none beside a repository, where other checkouts of it may be. */
export function besideIt(folder: string): string[] {
  const around = dirname(folder)
  if (around === folder || nearestWith('.git', folder) === folder || nearestWith('.git', around) === undefined)
    return []
  return catalogsIn(around)
    .filter((name) => name !== basename(folder))
    .map((name) => join(around, name))
}

/**
 * The folders from which catalogs were applied on this machine. One without a name is its owner, too. In a pipeline they are
 * checkouts of other jobs.
 */
function appliedFolders(owners: Owners, { host: { env } }: Context): string[] {
  if (pipelineVariable(env)) return []
  const prefix = folderKey('')
  const recorded = Object.keys(owners).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  const unnamed = Object.values(owners).filter((owner) => labelOf(owner) === null)
  return [...new Set([...recorded, ...unnamed])]
}
