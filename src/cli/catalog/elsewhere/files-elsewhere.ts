import { existsSync, realpathSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { RepositoryFile } from '../../../documents/load/git-index.ts'
import { findInputs, type InputFile, isFoundName } from '../../../documents/load/inputs.ts'
import type { Place } from '../../../documents/load/project.ts'
import { ifNeverOwned } from '../../../documents/load/remains.ts'
import { folderFrom } from '../../../file-system.ts'
import type { Context } from '../../context.ts'
import type { Host } from '../../host.ts'
import { styled } from '../../io/text.ts'
import { placeOf } from '../../kinds/load-checked.ts'
import { pipelineVariable } from '../../pipeline.ts'
import { isClosedFolder } from '../closed.ts'
import { isLinkedFolder } from '../left-out.ts'
import { besideIt } from '../neighbours.ts'
import type { PruneOptions } from '../options.ts'
import { type Owners, pathsOf } from '../owners.ts'
import { unmarkedBeside } from '../unmarked-beside.ts'
import { refuseUnread } from '../unread.ts'
import { catalogOf, isAbsent, isFile, isFoundFrom, isOfCatalog } from './places.ts'
import { refuseClosed } from './refuse-closed.ts'
import type { Around } from './repositories-around.ts'

/** Whose other files are looked for. */
interface Sought {
  /** The folders whose files are left out. */
  readonly own: readonly string[]
  readonly owners: Owners
  /** The folders beside those that are in no repository. */
  readonly exported: readonly string[]
}

/**
 * The files outside of some folders that can describe what these did: of their repositories, of what is beside them, and of
 * what was applied on this machine. Throws a usage error for a run that deletes where one of them cannot be found.
 */
export async function filesElsewhere(
  { own, owners, exported }: Sought,
  { inner, files, isOther }: Around,
  options: PruneOptions,
  context: Context,
): Promise<readonly InputFile[]> {
  const { host } = context
  const { cwd } = host
  const here = applied(owners, host)
  const folders = [...inner, ...own.flatMap(besideIt), ...exported, ...here.folders, ...linking(files)]
  const found = [
    ...files.filter(isRead).map(({ path }) => inputOf(path, cwd)),
    ...(await below(folders, options, placeOf(context))),
    ...[...here.files.filter(isFile), ...own.flatMap((folder) => filesBeside(folder, options, context))].map((path) =>
      inputOf(path, cwd),
    ),
  ]
  return [...new Map(found.filter(({ path }) => isOther(path)).map((one) => [one.path, one])).values()]
}

/** The folders and files that were applied on this machine. In a pipeline they are of checkouts of other jobs. */
function applied(owners: Owners, { env }: Host): { folders: string[]; files: string[] } {
  if (pipelineVariable(env)) return { folders: [], files: [] }
  return { folders: pathsOf('folder', owners), files: pathsOf('file', owners) }
}

/** The files beside a catalog that is in no repository. Says of a run that deletes that these are not all, where they are very many. */
function filesBeside(folder: string, options: PruneOptions, { host, output }: Context): readonly string[] {
  const { found, isWhole } = unmarkedBeside(folder)
  if (!isWhole && (options.prune || options.pruneUnowned))
    output.warn(
      styled`there is too much beside ${folderFrom(host.cwd, folder)} to look at all of it: what moved there may be deleted; in a git repository all of it is known`,
    )
  return found
}

const inputOf = (path: string, cwd: string): InputFile => ({ file: relative(cwd, path), path, named: false })

/**
 * The files in folders that still exist, as the other commands find them, and in those to which their links lead. Throws a
 * usage error for a run that deletes where a folder in one of them is closed to this user, or a link leads to nothing.
 */
async function below(
  folders: readonly string[],
  options: PruneOptions,
  place: Place,
  known: readonly string[] = [],
): Promise<readonly InputFile[]> {
  const { cwd } = place
  const there = folders.filter((folder) => existsSync(folder)).map((folder) => folderFrom(cwd, folder))
  const { files, problems } = await findInputs(there, place)
  const found = problems.filter(({ rule }) => rule === 'input')
  const closed = found.find(({ file }) => isClosedFolder(resolve(cwd, file)))
  if (closed) refuseClosed(closed.file, options)
  const inThem = found.filter(({ file }) => !there.includes(file))
  const absent = inThem.find(({ file }) => isAbsent(resolve(cwd, file)))
  if (absent)
    refuseUnread(absent.file, `, of another catalog, ${absent.message}`, absent.hint ?? deadLinkRemedy, options)
  const seen = [...known, ...folders]
  const behind = inThem.flatMap(({ file }) => targetOf(resolve(cwd, file))).filter((one) => !seen.includes(one))
  return behind.length === 0 ? files : [...files, ...(await below([...new Set(behind)], options, place, seen))]
}

/** The folder that a link leads to, if it leads to one. */
const targetOf = (path: string): string[] => (isLinkedFolder(path) ? [realpathSync(path)] : [])

const deadLinkRemedy = `put that there, or remove the link; ${ifNeverOwned}`

/** The catalogs with links among what a repository keeps, and the folders to which links lead that are there as texts. */
const linking = (files: readonly RepositoryFile[]): string[] => [
  ...new Set(
    files
      .filter(({ isLink }) => isLink)
      .flatMap((link) => {
        const catalog = catalogOf(link)
        return catalog === undefined ? [] : [catalog, link.target ?? []].flat()
      }),
  ),
]

/** Whether a file is there and can hold documents, as the other commands find them in its catalog or the repository. */
const isRead = (file: RepositoryFile): boolean =>
  isFoundName(file.path) && (isFoundFrom(file.root, file.path) || isOfCatalog(file)) && isFile(file.path)
