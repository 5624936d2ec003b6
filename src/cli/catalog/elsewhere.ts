import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import { sectionOf } from '../../contract/vatom/complete.ts'
import { leftOutTexts } from '../../documents/load/checkout.ts'
import { keptAround, type RepositoryFile, type UnknownPart } from '../../documents/load/git-index.ts'
import { findInputs, type InputFile, isDataName, isFoundName, isIgnored, isType } from '../../documents/load/inputs.ts'
import { readOurs } from '../../documents/load/ours.ts'
import { isLeftOut, type Place, type ProjectOf, projectFinder } from '../../documents/load/project.ts'
import type { ReadOptions } from '../../documents/load/read.ts'
import { readFile } from '../../documents/load/read-file.ts'
import { ifNeverOwned, ifOfOthers } from '../../documents/load/remains.ts'
import { folderFrom, isWithin, nearestWith } from '../../file-system.ts'
import { type Context, once } from '../context.ts'
import { shellWord } from '../io/text.ts'
import { placeOf, sourceOf } from '../kinds/load-checked.ts'
import { pipelineVariable } from '../pipeline.ts'
import { isClosed, isClosedFolder, letRead, openPart } from './closed.ts'
import { isLinkedFolder, type LeftOutPlace, leftOutOf } from './left-out.ts'
import { checkNamedRepository } from './named-repository.ts'
import { besideExported, besideIt, catalogsBelow, unmarkedBeside } from './neighbours.ts'
import type { PruneOptions } from './options.ts'
import { type Owners, ownKey, pathsOf } from './owners.ts'
import { correctFile, isDamaged, isUnread, refuseUnread } from './unread.ts'

/** The folders in which files describe records, by `ownKey`; the file itself where its folder has catalogs. */
export type Elsewhere = ReadonlyMap<string, string>

/** Folders that are looked at, and whose records. */
interface Look {
  /** The folders whose files are left out. */
  readonly own: readonly string[]
  readonly publisher: string
  readonly owners: Owners
}

/**
 * What files outside of some folders describe: those of their repositories, of what is beside them, and of folders
 * that were applied on this machine. It is read once, when it is asked for. Throws a usage error for a run that deletes where
 * a file of another catalog cannot be read, or such a catalog is not in the checkout.
 */
export const elsewhereOf = (
  { own, publisher, owners }: Look,
  options: PruneOptions,
  context: Context,
): (() => Promise<Elsewhere>) =>
  once(async () => {
    const { host } = context
    const { cwd } = host
    checkNamedRepository(own, options)
    const place = placeOf(context)
    const kept = await keptAround(own, place.git)
    const projectOf = projectFinder(place)
    const inner = await catalogsLeftOut(own, kept.files, projectOf)
    const isOther = (path = '') => !isInOne(own, path) || isInOne(inner, path)
    // Whoever deletes files of a catalog applies it before that is committed; in a pipeline all were committed.
    const isCommitted = pipelineVariable(context.host.env) !== undefined
    const untold = ['untold', 'unindexed', 'crowded'] as const
    const matters: ReadonlySet<UnknownPart['reason']> = new Set(isCommitted ? [...untold, 'uncovered'] : untold)
    // Submodules that are found in a catalog were checked with it; it may be one itself.
    const isChecked = async (path: string) =>
      !own.includes(path) && isFoundIn(own, join(path, projectFileName), projectOf)
    for (const part of kept.unknown)
      if (matters.has(part.reason) || !(await isChecked(part.path))) refuseUnknown(part, options, cwd)
    const absent = kept.files.filter(({ path }) => !isOther(path) && isFoundName(path) && isAbsent(path))
    for (const file of isCommitted ? absent : [])
      if (await isFoundIn(own, file.path, projectOf)) refuseAbsentOwn(file, options, cwd)
    const inGit = kept.files.filter(({ path }) => isOther(path))
    checkOpen(inGit, options, cwd)
    checkThere(inGit, options, cwd)
    const here = applied(owners, context)
    const exported = (await Promise.all(own.map((folder) => besideExported(folder, host)))).flat()
    const near = own.flatMap((folder) => filesNear(folder, options, cwd))
    const found = [
      ...inGit.filter(isRead).map(({ path }) => inputOf(path, cwd)),
      ...(await below(
        [...inner, ...own.flatMap(besideIt), ...exported, ...here.folders, ...linking(inGit)],
        options,
        place,
      )),
      ...[...here.files.filter(isFile), ...near].map((path) => inputOf(path, cwd)),
    ]
    const leftOut = await leftOutOf(exported, publisher, options, context)()
    const outer = found.filter(({ path }) => isOther(path))
    const files = [...new Map(outer.map((one) => [one.path, one])).values()]
    const catalogs = new Map(files.map((file) => [file, catalogOf(file)]))
    const read = (isWanted: (file: InputFile) => boolean, how: Pick<ReadOptions, 'searched'>) =>
      readOurs(files.filter(isWanted), { ...sourceOf(context), ...how }, (input, bytes) =>
        readFile(input, bytes, { publisher }),
      )
    const isOfSome = (file: InputFile) => catalogs.get(file) !== undefined
    const { ours, stray } = await read(isOfSome, {})
    const unread = ours.find((file) => isUnread(file) || isDamaged(file))?.source.file
    if (unread) refuseUnread(unread, ', of another catalog, cannot be read', correctFile(unread), options)
    for (const { file, message, hint = ifOfOthers } of stray)
      if (!(await isIgnoredByOwn(resolve(cwd, file), projectOf)))
        refuseUnread(file, `, of another catalog, ${message}`, hint, options)
    // A large file cannot be read: only in a catalog it matters whether it has documents.
    const others = await read((file) => !isOfSome(file), { searched: 0 })
    const besideCatalogs = placeFinder()
    const described = [...others.ours, ...ours].flatMap(({ input, candidates }) => {
      const place = folderFrom(cwd, catalogs.get(input) ?? besideCatalogs(input))
      return candidates.map(({ kind, value }) => [ownKey(kind, sectionOf(value)), place] as const)
    })
    return new Map([...[...leftOut].map(([key, place]) => [key, folderOf(place)] as const), ...described])
  })

/** The files beside a catalog that nothing marks. Throws a usage error for a run that deletes where these are too many to look at. */
function filesNear(folder: string, options: PruneOptions, cwd: string): readonly string[] {
  const { files, isWhole } = unmarkedBeside(folder)
  const is = ' has too much beside it to look for what it moved to'
  if (!isWhole) refuseUnread(folderFrom(cwd, folder), is, inRepository, options)
  return files
}

const inRepository =
  'put the catalog into a git repository, which tells what belongs to it, or into a folder with nothing else in it'

/** The folder of what the catalogs beside one leave out. */
const folderOf = (place: LeftOutPlace): string => ('alsoIn' in place ? place.alsoIn : dirname(place.ignoredIn))

/** Throws a usage error for a run that deletes where nothing is known of a part of the repository. */
function refuseUnknown({ path, reason }: UnknownPart, options: PruneOptions, cwd: string): void {
  const place = path === cwd ? path : folderFrom(cwd, path)
  const { is, remedy } = unknownTexts[reason](place)
  refuseUnread(place, ` ${is}`, remedy, options)
}

type Text = (place: string) => { readonly is: string; readonly remedy: string }

const unknownTexts: Readonly<Record<UnknownPart['reason'], Text>> = {
  submodule: () => leftOutTexts.submodule,
  commit: () => leftOutTexts.commit,
  sparse: () => ({
    is: 'is not in this checkout, which is a sparse one, and its sparse index does not tell what is in it',
    remedy: 'have the index tell: git sparse-checkout reapply --no-sparse-index',
  }),
  uncovered: (part) => ({
    is: 'is not, or not whole, in this checkout, although the commit that is checked out has it',
    remedy: remedies.commit(shellWord(part)),
  }),
  untold: (git) => ({
    is: 'does not tell what else is in the repository',
    remedy: `let this user read it, and the folder that it names; what is wrong: ${gitIn(git)} status; if its index is split: git update-index --no-split-index; if it has very many packs: git gc`,
  }),
  crowded: () => ({
    is: 'names more submodules than are looked at, so it does not tell what else is in the repository',
    remedy: 'remove from it what is no submodule of the repository',
  }),
  unindexed: (git) => ({
    is: 'has no index, which would tell what else is in the repository',
    remedy: `have git make one, of the commit whose files these are: ${gitIn(git)} read-tree HEAD, or its name instead of HEAD`,
  }),
}

/** Git, as a person calls it for the repository of a `.git`, or of what `GIT_DIR` names. */
const gitIn = (git: string): string =>
  basename(git) === '.git' ? `git -C ${shellWord(dirname(git))}` : `git --git-dir=${shellWord(git)}`

const refuseAbsentOwn = (file: RepositoryFile, options: PruneOptions, cwd: string) =>
  refuseAbsent(file, file.path, 'is a file of this catalog that', options, cwd, `; ${ifNeverOwned}`)

const isInOne = (folders: readonly string[], path: string): boolean => folders.some((folder) => isWithin(folder, path))

/** Whether a file is found in one of some folders that are named themselves, and that of their catalogs none ignores it. */
async function isFoundIn(folders: readonly string[], path: string, projectOf: ProjectOf): Promise<boolean> {
  for (const folder of folders)
    if (isWithin(folder, path) && isFoundFrom(folder, path) && !(await isLeftOut(path, folder, projectOf))) return true
  return false
}

/** The folders of further catalogs in those of some that these leave out: as git knows them, or directly in one of those. */
async function catalogsLeftOut(
  own: readonly string[],
  files: readonly RepositoryFile[],
  projectOf: ProjectOf,
): Promise<readonly string[]> {
  const inGit = files.map(({ path }) => path).filter((path) => basename(path) === projectFileName)
  const there = own.flatMap(catalogsBelow).map((folder) => join(folder, projectFileName))
  const found: string[] = []
  for (const path of [...inGit, ...there.filter(isFile)])
    if (isInOne(own, path) && !(await isFoundIn(own, path, projectOf))) found.push(dirname(path))
  return found
}

/** Whether the catalog that a file is in ignores it. */
const isIgnoredByOwn = (path: string, projectOf: ProjectOf): Promise<boolean> =>
  isLeftOut(path, catalogOf({ path }) ?? path, projectOf)

/** Throws a usage error for a run that deletes where a folder of another catalog of the repository is closed to this user. */
function checkOpen(files: readonly RepositoryFile[], options: PruneOptions, cwd: string): void {
  const closed = files.find(({ path }) => isFoundName(path) && isClosed(path) && isInCatalog(path, files))
  if (closed) refuseClosed(folderFrom(cwd, openPart(closed.path)), options)
}

const refuseClosed = (folder: string, options: PruneOptions) =>
  refuseUnread(folder, ', of another catalog, cannot be read', letRead, options)

/** Whether a file is in a catalog, whose vatom.yaml may be as closed as the file. */
const isInCatalog = (path: string, files: readonly RepositoryFile[]): boolean =>
  catalogOf({ path }) !== undefined ||
  files.some((one) => basename(one.path) === projectFileName && isWithin(dirname(one.path), path))

/** Throws a usage error for a run that deletes where another catalog of the repository, or a file of one, is not there. */
function checkThere(files: readonly RepositoryFile[], options: PruneOptions, cwd: string): void {
  const left = files.filter(({ path }) => isDataName(path) && isAbsent(path))
  const catalog = left.find(({ path }) => basename(path) === projectFileName && hasDocuments(dirname(path), left))
  const file = left.find(isOfCatalog)
  if (catalog) refuseAbsent(catalog, dirname(catalog.path), 'is a catalog that', options, cwd)
  if (file && isLink(file.path)) refuseDeadLink(folderFrom(cwd, file.path), options)
  if (file) refuseAbsent(file, file.path, 'is a file of another catalog that', options, cwd)
}

const refuseDeadLink = (link: string, options: PruneOptions) =>
  refuseUnread(
    link,
    ', of another catalog, links to a file that is not there',
    'put that file there, or remove the link',
    options,
  )

/** Refuses a file that is not there, and with it a part of the repository. */
function refuseAbsent(
  { path, by }: RepositoryFile,
  part: string,
  what: string,
  options: PruneOptions,
  cwd: string,
  otherwise = '',
): void {
  const place = folderFrom(cwd, part)
  const remedy = remedies[by](shellWord(by === 'skipped' ? folderFrom(cwd, dirname(path)) : place))
  refuseUnread(place, ` ${what} is not in this checkout, ${keptTexts[by]}`, `${remedy}${otherwise}`, options)
}

/** How it is known of something that is not there that git keeps it. */
const keptTexts: Readonly<Record<RepositoryFile['by'], string>> = {
  skipped: 'which is a sparse one',
  index: 'although it is in the index of git',
  commit: 'although the commit that is checked out has it',
}

/** What puts it there. */
const remedies: Readonly<Record<RepositoryFile['by'], (place: string) => string>> = {
  skipped: (folder) => `check it out, too: git sparse-checkout add ${folder}`,
  index: (place) =>
    `put it there: git restore ${place}; if it was removed or moved: git rm -r --cached ${place}, and commit that`,
  commit: (place) => `put it there: git checkout HEAD -- ${place}; if it was removed or moved, commit that first`,
}

const hasDocuments = (folder: string, files: readonly RepositoryFile[]): boolean =>
  files.some(({ path }) => isWithin(folder, path) && isFoundName(path))

/** The folder of the catalog of a file: the nearest with a vatom.yaml. */
const catalogOf = ({ path = '' }: Pick<InputFile, 'path'>): string | undefined =>
  nearestWith(projectFileName, dirname(path))

/** What a command can take as one catalog of a file that is in none: its folder, or the file alone, beside catalogs. */
function placeFinder(): (file: InputFile) => string {
  const known = new Map<string, boolean>()
  return ({ path = '' }) => {
    const folder = dirname(path)
    const hasCatalogs = known.get(folder) ?? catalogsBelow(folder).length > 0
    known.set(folder, hasCatalogs)
    return hasCatalogs ? path : folder
  }
}

const inputOf = (path: string, cwd: string): InputFile => ({ file: relative(cwd, path), path, named: false })

const isFile = (path: string) => isType(path, 'isFile')

/** Whether there is neither a file nor a folder: nothing, or a pipe or device in the place of one. */
const isAbsent = (path: string) => !isFile(path) && !isType(path, 'isDirectory')

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

/** Whether a file, by its name and place, can hold documents of a catalog. */
function isOfCatalog({ path }: RepositoryFile): boolean {
  const folder = catalogOf({ path })
  return folder !== undefined && isFoundName(path) && isFoundFrom(folder, path)
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** Whether a file is found in a folder that is named itself. */
const isFoundFrom = (folder: string, path: string): boolean =>
  !relative(folder, dirname(path)).split(sep).some(isIgnored)

/** The folders and files that were applied on this machine. In a pipeline they are of checkouts of other jobs. */
function applied(owners: Owners, { host: { env } }: Context): { folders: string[]; files: string[] } {
  if (pipelineVariable(env)) return { folders: [], files: [] }
  return { folders: pathsOf('folder', owners), files: pathsOf('file', owners) }
}
