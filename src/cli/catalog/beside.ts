import { existsSync, lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sectionOf } from '../../contract/vatom/complete.ts'
import { findInputs, isType } from '../../documents/load/inputs.ts'
import { loadInOrder } from '../../documents/load/load.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { readOurs } from '../../documents/load/ours.ts'
import { type Place, type Project, projectFinder } from '../../documents/load/project.ts'
import { readFile } from '../../documents/load/read-file.ts'
import { isStatusLine } from '../../documents/yaml/source.ts'
import { folderFrom, isWithin } from '../../file-system.ts'
import { type Context, once } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { sourceOf } from '../kinds/load-checked.ts'
import type { FoundCatalogs } from './catalog-names.ts'
import type { PruneOptions } from './options.ts'
import { ownKey } from './owners.ts'
import { correctFile, flagOf, isUnread, refuseUnread } from './unread.ts'
import { checkCheckedOut } from './whole-checkout.ts'

/** Where a record is described that is in no file of a run. */
export interface Described extends Pick<LoadedDocument, 'name' | 'file' | 'value'> {
  /** The folder of its catalog. */
  readonly folder: string
}

/** What the catalogs of a run describe in files that it was not given, by `ownKey`; it is read once, when it is asked for. */
export type Beside = () => Promise<ReadonlyMap<string, Described>>

/** Reads the folders of catalogs of which only a part was given. */
export function besideOf(partial: readonly string[], publisher: string, context: Context): Beside {
  const { cwd } = context.host
  const others = partial.map((folder) => folderFrom(cwd, folder))
  const folderOf = (file: string) => others.find((folder) => file.startsWith(`${folder}/`)) ?? '.'
  return once(async () => {
    if (others.length === 0) return new Map()
    const { documents } = await loadInOrder(others, { ...sourceOf(context), publisher })
    return new Map(
      documents.map(({ kind, name, value, file }) => [
        ownKey(kind, value),
        { name, file, value, folder: folderOf(file) },
      ]),
    )
  })
}

/**
 * What files describe that `ignore` in the vatom.yaml of catalogs lists, by `ownKey`, also in folders that links lead to: it is
 * not in the catalogs, but nothing to prune. Throws a usage error for a run that deletes where one of them cannot be read.
 */
export const ignoredIn = (whole: readonly string[], publisher: string, options: PruneOptions, context: Context) =>
  once(async (): Promise<ReadonlySet<string>> => {
    const { host } = context
    const projectOf = projectFinder(host)
    const whatever = async (folder: string) => all(await projectOf(folder))
    const { files, problems } = await findInputs(whole, host, whatever)
    const links = problems.map(({ file }) => file).filter((file) => isLinkedFolder(resolve(host.cwd, file)))
    const behind = await findInputs(links, host, whatever)
    const further = behind.problems.find(({ file, rule }) => rule === 'input' && !links.includes(file))
    if (further)
      refuseUnread(
        further.file,
        `, which the catalog ignores, ${further.message}`,
        further.hint ?? correctFile(further.file),
        options,
      )
    const ignored = await Promise.all(files.map(({ path }) => isLeftOut(path, projectOf)))
    const { ours } = await readOurs(
      [...files.filter((_, index) => ignored[index]), ...behind.files],
      sourceOf(context),
      (input, bytes) => readFile(input, bytes, { publisher }),
    )
    // Texts by status are of another tool where the catalog ignores them.
    const file = ours.find((one) => isUnread(one) && !isStatusLine(one.source.text))?.source.file
    if (file) refuseUnread(file, ', which the catalog ignores, cannot be read', correctFile(file), options)
    return new Set(
      ours.flatMap(({ candidates }) => candidates.map(({ kind, value }) => ownKey(kind, sectionOf(value)))),
    )
  })

/** Whether the catalog of a file ignores it. */
export const isLeftOut = async (
  path: string | undefined,
  projectOf: ReturnType<typeof projectFinder>,
): Promise<boolean> => path !== undefined && (await (await projectOf(dirname(path)))?.ignores(path)) === true

/** Whether a path is a link to a folder. */
export const isLinkedFolder = (path: string): boolean => isType(path, 'isDirectory') && lstatSync(path).isSymbolicLink()

/** A project with all its files. */
const all = (project: Project | undefined): Project | undefined => project && { ...project, ignores: async () => false }

/** What a run that deletes was given. */
interface Pruned extends Pick<FoundCatalogs, 'partial' | 'whole'> {
  readonly inputs: readonly string[]
  /** The command of the run, for other inputs. */
  readonly commandFor: (inputs: readonly string[]) => string
}

/** Throws a usage error for a run that is to delete what is in no file, and was not given all files. */
export async function checkWhole(
  { inputs, partial, whole, commandFor }: Pruned,
  { prune }: PruneOptions,
  place: Place,
): Promise<void> {
  const { cwd } = place
  const flag = flagOf({ prune })
  if (prune && inputs.every((input) => input === '-'))
    throw usage(
      '--prune deletes what a catalog owns, and standard input is in no catalog',
      'name the folder of the catalog in place of -, or leave out --prune',
    )
  if (partial.length === 0) return await checkCheckedOut({ whole }, flag, place)
  // The files that a pattern matches are in these folders, or in others that were given.
  const isPattern = (path: string) => !existsSync(path)
  const isRest = (input: string) => {
    const path = resolve(cwd, input)
    return input === '-' || !(isPattern(path) || partial.some((folder) => isWithin(folder, path)))
  }
  const folders = partial.map((folder) => folderFrom(cwd, folder))
  throw usage(
    `${flag} deletes what is in no file, so it needs the whole catalog, not a part of it`,
    commandFor([...folders, ...inputs.filter(isRest)]),
  )
}
