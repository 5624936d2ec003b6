import { dirname, resolve } from 'node:path'
import { sectionOf } from '../../../contract/vatom/complete.ts'
import type { InputFile } from '../../../documents/load/inputs.ts'
import { type Ours, readOurs } from '../../../documents/load/ours.ts'
import { isLeftOut, projectFinder } from '../../../documents/load/project.ts'
import { type ReadFile, readFile } from '../../../documents/load/read-file.ts'
import { ifOfOthers } from '../../../documents/load/remains.ts'
import { folderFrom } from '../../../file-system.ts'
import { type Context, once } from '../../context.ts'
import { placeOf, sourceOf } from '../../kinds/load-checked.ts'
import { leftOutOf, type OtherPlaces } from '../left-out.ts'
import { checkNamedRepository } from '../named-repository.ts'
import { besideExported, catalogsBelow } from '../neighbours.ts'
import type { PruneOptions } from '../options.ts'
import { type Owners, ownKey } from '../owners.ts'
import { correctFile, isUnclear, isUnclearThere, refuseUnread } from '../unread.ts'
import { filesElsewhere } from './files-elsewhere.ts'
import { catalogOf } from './places.ts'
import { repositoriesAround } from './repositories-around.ts'

/** Folders that are looked at, and whose records. */
interface Look {
  /** The folders whose files are left out. */
  readonly own: readonly string[]
  readonly publisher: string
  readonly owners: Owners
}

/**
 * What files outside of some folders describe, and what catalogs beside them leave out: of their repositories, of what is
 * beside them, and of folders that were applied on this machine. A place is the folder of a catalog, or of a file that is in
 * none; the file itself where its folder has catalogs. It is read once, when it is asked for. Throws a usage error for a run
 * that deletes where a file of another catalog cannot be read, or such a catalog is not in the checkout.
 */
export const elsewhereOf = (
  { own, publisher, owners }: Look,
  options: PruneOptions,
  context: Context,
): (() => Promise<OtherPlaces>) =>
  once(async () => {
    const { host } = context
    checkNamedRepository(own, options)
    const around = await repositoriesAround(own, options, context)
    const exported = (await Promise.all(own.map((folder) => besideExported(folder, host)))).flat()
    const files = await filesElsewhere({ own, owners, exported }, around, options, context)
    const leftOut = await leftOutOf(exported, publisher, options, context)()
    leftOut.check()
    return new Map([...leftOut.places, ...(await describedIn(files, publisher, options, context))])
  })

/** What files describe. Throws a usage error for a run that deletes where one of a catalog cannot be read. */
async function describedIn(
  files: readonly InputFile[],
  publisher: string,
  options: PruneOptions,
  context: Context,
): Promise<OtherPlaces> {
  const read = (some: readonly InputFile[], how: { readonly searched?: 0 }) =>
    readOurs(some, { ...sourceOf(context), ...how }, (input, bytes) => readFile(input, bytes, { publisher }))
  const catalogs = new Map(files.map((file) => [file, catalogOf(file)]))
  const isOfSome = (file: InputFile) => catalogs.get(file) !== undefined
  const inCatalogs = await read(files.filter(isOfSome), {})
  await checkRead(inCatalogs, options, context)
  // A large file cannot be read: only in a catalog it matters whether it has documents.
  const others = await read(
    files.filter((file) => !isOfSome(file)),
    { searched: 0 },
  )
  const unread = others.ours.find((file) => isUnclear(file) && names(publisher, file))?.source.file
  if (unread)
    refuseUnread(
      unread,
      `, which names records of ${publisher}, cannot be read`,
      `${correctFile(unread)}; in a folder that begins with a dot, only catalogs are looked at, and what was applied on this machine`,
      options,
    )
  const besideCatalogs = placeFinder()
  const projectOf = projectFinder(placeOf(context))
  const described = [...others.ours, ...inCatalogs.ours].map(async ({ input, candidates }) => {
    const folder = catalogs.get(input)
    const alsoIn = folderFrom(context.host.cwd, folder ?? besideCatalogs(input))
    const catalog = folder === undefined ? undefined : (await projectOf(folder))?.catalog
    return candidates.map(({ kind, value }) => [ownKey(kind, sectionOf(value)), { alsoIn, catalog }] as const)
  })
  return new Map((await Promise.all(described)).flat())
}

/** Throws a usage error for a run that deletes where a file of another catalog cannot be read, or is nothing that has documents. */
async function checkRead(
  { ours, stray }: Pick<Ours<ReadFile>, 'ours' | 'stray'>,
  options: PruneOptions,
  context: Context,
): Promise<void> {
  const unread = ours.find(isUnclearThere)?.source.file
  if (unread) refuseUnread(unread, ', of another catalog, cannot be read', correctFile(unread), options)
  const projectOf = projectFinder(placeOf(context))
  for (const { file, message, hint = ifOfOthers } of stray) {
    const path = resolve(context.host.cwd, file)
    const isIgnored = await isLeftOut(path, catalogOf({ path }) ?? path, projectOf)
    if (!isIgnored) refuseUnread(file, `, of another catalog, ${message}`, hint, options)
  }
}

/** Whether the text of a file names records of a publisher, so that it is of no other tool. */
const names = (publisher: string, { source: { text } }: ReadFile): boolean =>
  text.includes('$publisher::') || text.includes(`${publisher}::`)

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
