import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { ServiceError } from '../../../client/errors.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { projectFinder } from '../../../documents/load/project.ts'
import { holdsAbandoned } from '../../../whole-file.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import { placeOf } from '../../kinds/load-checked.ts'
import { otherNamed } from '../catalog-names.ts'
import { labelKey, type Owners, type Ownership, ownerOf, ownersOf } from '../owners.ts'
import type { Pulled } from './documents.ts'
import type { ExistingCatalog, Folder } from './existing-catalog.ts'
import type { PulledDocument } from './pulled-files.ts'
import { describedAround } from './within-catalog.ts'

/** Whose the records are. */
export interface Owning {
  /** The other catalog that owns a record; undefined if none with a name is known to. */
  readonly otherOf: (one: Pulled) => string | undefined
  /** Whether what is in no file, and of another catalog, is left out. */
  readonly leavesOut: boolean
  /** Whether files of a catalog around the folder, which reads what is in it, describe a record. */
  readonly isAround: (one: Pulled) => boolean
  /** Whether no catalog with a name is known to own a record, so that a person is asked about it. */
  readonly isUnowned: (one: Pulled) => boolean
}

/** How the catalog of a folder sees the records; a new folder takes all. */
export async function owningOf(folder: Folder, existing: ExistingCatalog, context: Context): Promise<Owning> {
  const catalog = await catalogOf(folder, existing, context)
  if (catalog === undefined) return takingAll(folder, existing, context)
  const beside = ownedBeside(catalog, (await ownersOf(context)).owners)
  const around = await describedAround(folder, existing, context)
  return {
    otherOf: (one) => beside.otherOf(one) ?? around.get(one.key),
    isAround: ({ key }) => around.has(key),
    isUnowned: (one) => beside.isUnowned(one) && !around.has(one.key),
    leavesOut: true,
  }
}

/** How a run sees them that takes all: nothing is left out, or asked about. Owners that cannot be read are none. */
export async function takingAll(folder: Folder, existing: ExistingCatalog, context: Context): Promise<Owning> {
  const catalog = await catalogOf(folder, existing, context)
  const { owners } = await ownersOf(context).catch(unknownOwners)
  return { ...ownedBeside(catalog, owners), leavesOut: false, isAround: () => false, isUnowned: () => false }
}

function unknownOwners(error: unknown): Pick<Ownership, 'owners'> {
  if (error instanceof ServiceError) return { owners: {} }
  throw error
}

const catalogOf = async ({ dir, cwd }: Folder, existing: ExistingCatalog, context: Context) =>
  (await projectFinder(placeOf(context))(resolve(cwd, dir)))?.catalog ?? folderCatalog(resolve(cwd, dir), existing)

/** Whose records are, as a catalog sees it. A record without an owner belongs to that of its template. */
function ownedBeside(catalog: string | undefined, owners: Owners): Omit<Owning, 'leavesOut' | 'isAround'> {
  const catalogOf = ({ owned, template }: Pulled) =>
    ownerOf(owned, owners) ?? owners[labelKey({ kind: 'template', key: template })]
  const otherOf = (one: Pulled) => otherNamed(catalogOf(one), catalog === undefined ? [] : [catalog])
  return { otherOf, isUnowned: (one) => catalogOf(one) !== catalog && otherOf(one) === undefined }
}

/** What a folder without a name is known by, if it has documents; undefined also for what a killed pull left of a new one. */
const folderCatalog = (root: string, { documents }: ExistingCatalog): string | undefined =>
  documents.length > 0 && !holdsAbandoned(root) ? realpathSync(root) : undefined

/** A record that is not written, because another catalog owns it. */
export interface LeftOut extends Pick<Pulled, 'kind' | 'name'> {
  readonly catalog: string
  /** Whether it would be in that catalog twice. */
  readonly isAround: boolean
}

/** Says what was left out, and how to get it, unless a catalog around the folder would have it twice then, and be invalid. */
export function noteLeftOut(leftOut: readonly LeftOut[], command: string, { output }: Pick<Context, 'output'>): void {
  const [around, others] = [leftOut.filter(({ isAround }) => isAround), leftOut.filter(({ isAround }) => !isAround)]
  if (around.length > 0)
    output.note(
      styled`${leftOutText(around)}: files around this folder describe ${around.length === 1 ? 'it' : 'them'}, and written here too, the catalog there would be invalid`,
    )
  if (others.length > 0)
    output.note(
      styled`${leftOutText(others)}; to write them too: ${output.hint(`${command} ${around.length > 0 ? '--template NAME' : '--all-catalogs'}`)}`,
    )
}

/** `2 documents of other catalogs were left out (2 of cafe)` */
const leftOutText = (some: readonly LeftOut[]): string =>
  `${plural(some.length, 'document')} of other catalogs ${some.length === 1 ? 'was' : 'were'} left out (${catalogCounts(some)})`

/** Says which of the documents that a pull writes are of records that other catalogs own. */
export function noteForeign(written: readonly PulledDocument[], { output }: Pick<Context, 'output'>): void {
  const foreign = written.flatMap(({ catalog }) => (catalog === undefined ? [] : [{ catalog }]))
  if (foreign.length === 0) return
  output.note(
    styled`${foreign.length} of ${plural(written.length, 'document')} ${foreign.length === 1 ? 'belongs' : 'belong'} to other catalogs (${catalogCounts(foreign)}), until apply takes them over with --take-over`,
  )
}

/** `2 of cafe, 1 of shop` */
const catalogCounts = (all: readonly { readonly catalog: string }[]): string =>
  [...groupBy(all, ({ catalog }) => catalog)].map(([catalog, some]) => `${some.length} of ${catalog}`).join(', ')
