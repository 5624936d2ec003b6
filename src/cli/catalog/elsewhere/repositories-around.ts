import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { projectFileName } from '../../../contract/values.ts'
import { leftOutTexts } from '../../../documents/load/checkout.ts'
import { keptAround, type RepositoryFile, type UnknownPart } from '../../../documents/load/git-index.ts'
import { isDataName, isFoundName } from '../../../documents/load/inputs.ts'
import { type ProjectOf, projectFinder } from '../../../documents/load/project.ts'
import { ifNeverOwned } from '../../../documents/load/remains.ts'
import { folderFrom, isWithin, isWithinOne } from '../../../file-system.ts'
import type { Context } from '../../context.ts'
import { shellWord } from '../../io/text.ts'
import { placeOf } from '../../kinds/load-checked.ts'
import { pipelineVariable } from '../../pipeline.ts'
import { isClosed, openPart } from '../closed.ts'
import { catalogsBelow } from '../neighbours.ts'
import type { PruneOptions } from '../options.ts'
import { refuseUnread } from '../unread.ts'
import { catalogOf, isAbsent, isFile, isFoundIn, isOfCatalog } from './places.ts'
import { refuseClosed } from './refuse-closed.ts'

/** What repositories keep around the folders of some catalogs. */
export interface Around {
  /** The folders of further catalogs in them that they leave out. */
  readonly inner: readonly string[]
  /** What is kept outside of the catalogs. */
  readonly files: readonly RepositoryFile[]
  /** Whether a file is outside of the catalogs. */
  readonly isOther: (path: string | undefined) => boolean
}

/**
 * What the repositories of some folders keep outside of these. Throws a usage error for a run that deletes where something of
 * it, or of the folders, is not in the checkout or cannot be read.
 */
export async function repositoriesAround(
  own: readonly string[],
  options: PruneOptions,
  context: Context,
): Promise<Around> {
  const { host } = context
  const place = placeOf(context)
  const kept = await keptAround(own, place.git)
  const projectOf = projectFinder(place)
  const inner = await catalogsLeftOut(own, kept.files, projectOf)
  const [theirs, leftOut] = [new Set(own), new Set(inner)]
  const isOther = (path = '') => !isWithinOne(theirs, path) || isWithinOne(leftOut, path)
  // Whoever deletes files of a catalog applies it before that is committed; in a pipeline all were committed.
  const isCommitted = pipelineVariable(host.env) !== undefined
  await checkKnown(own, kept.unknown, { isCommitted, projectOf }, options, host.cwd)
  if (isCommitted)
    await checkOwn(
      own,
      kept.files.filter(({ path }) => !isOther(path)),
      projectOf,
      options,
      host.cwd,
    )
  const files = kept.files.filter(({ path }) => isOther(path))
  checkOpen(files, options, host.cwd)
  checkThere(files, options, host.cwd)
  return { inner, files, isOther }
}

/** Throws a usage error for a run that deletes where nothing is known of a part of a repository that can matter. */
async function checkKnown(
  own: readonly string[],
  unknown: readonly UnknownPart[],
  { isCommitted, projectOf }: { readonly isCommitted: boolean; readonly projectOf: ProjectOf },
  options: PruneOptions,
  cwd: string,
): Promise<void> {
  const untold = ['untold', 'unindexed', 'crowded', 'unread'] as const
  const matters: ReadonlySet<UnknownPart['reason']> = new Set(isCommitted ? [...untold, 'uncovered'] : untold)
  // Submodules that are found in a catalog were checked with it; it may be one itself.
  const isChecked = async (path: string) =>
    !own.includes(path) && isFoundIn(own, join(path, projectFileName), projectOf)
  for (const part of unknown)
    if (matters.has(part.reason) || !(await isChecked(part.path))) refuseUnknown(part, options, cwd)
}

/** Throws a usage error for a run that deletes where a file of its catalogs is not there. */
async function checkOwn(
  own: readonly string[],
  files: readonly RepositoryFile[],
  projectOf: ProjectOf,
  options: PruneOptions,
  cwd: string,
): Promise<void> {
  for (const file of files.filter(({ path }) => isFoundName(path) && isAbsent(path)))
    if (await isFoundIn(own, file.path, projectOf))
      refuseAbsent(file, file.path, 'is a file of this catalog that', options, cwd, `; ${ifNeverOwned}`)
}

/** The folders of further catalogs in those of some that these leave out: as git knows them, or directly in one of those. */
async function catalogsLeftOut(
  own: readonly string[],
  files: readonly RepositoryFile[],
  projectOf: ProjectOf,
): Promise<readonly string[]> {
  const inGit = files.map(({ path }) => path).filter((path) => basename(path) === projectFileName)
  const there = own.flatMap(catalogsBelow).map((folder) => join(folder, projectFileName))
  const theirs = new Set(own)
  const found: string[] = []
  for (const path of [...inGit, ...there.filter(isFile)])
    if (isWithinOne(theirs, path) && !(await isFoundIn(own, path, projectOf))) found.push(dirname(path))
  return found
}

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
    remedy: `let this user read it, and the folder that it names; what is wrong: ${gitIn(git)} status; if its branch has no commit yet: commit first; if its index is split: git update-index --no-split-index; if it has very many packs: git gc; if its refs are a reftable: git refs migrate --ref-format=files`,
  }),
  crowded: () => ({
    is: 'names more submodules than are looked at, so it does not tell what else is in the repository',
    remedy: 'remove from it what is no submodule of the repository',
  }),
  unread: () => ({
    is: 'cannot be read, so it does not tell what else is in the repository',
    remedy: 'let this user read it',
  }),
  unindexed: (git) => ({
    is: 'has no index, which would tell what else is in the repository',
    remedy: `have git make one, of the commit whose files these are: ${gitIn(git)} read-tree HEAD, or its name instead of HEAD`,
  }),
}

/** Git, as a person calls it for the repository of a `.git`, or of what `GIT_DIR` names. */
const gitIn = (git: string): string =>
  basename(git) === '.git' ? `git -C ${shellWord(dirname(git))}` : `git --git-dir=${shellWord(git)}`

/** Throws a usage error for a run that deletes where a folder of another catalog of the repository is closed to this user. */
function checkOpen(files: readonly RepositoryFile[], options: PruneOptions, cwd: string): void {
  const closed = files.find(({ path }) => isFoundName(path) && isClosed(path) && isInCatalog(path, files))
  if (closed) refuseClosed(folderFrom(cwd, openPart(closed.path)), options)
}

/** Whether a file is in a catalog, whose vatom.yaml may be as closed as the file. */
const isInCatalog = (path: string, files: readonly RepositoryFile[]): boolean =>
  catalogOf({ path }) !== undefined ||
  files.some((one) => basename(one.path) === projectFileName && isWithin(dirname(one.path), path))

/** Throws a usage error for a run that deletes where another catalog of the repository, or a file of one, is not there. */
function checkThere(files: readonly RepositoryFile[], options: PruneOptions, cwd: string): void {
  const left = files.filter(({ path }) => isDataName(path) && isAbsent(path))
  const hasDocuments = foldersOf(left.filter(({ path }) => isFoundName(path)))
  const catalog = left.find(({ path }) => basename(path) === projectFileName && hasDocuments.has(dirname(path)))
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

/** The folders of files, and those around them. */
function foldersOf(files: readonly RepositoryFile[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { path } of files)
    for (let folder = dirname(path); !found.has(folder); folder = dirname(folder)) found.add(folder)
  return found
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
