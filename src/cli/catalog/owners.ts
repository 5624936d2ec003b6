import { basename, dirname, join } from 'node:path'
import { ServiceError } from '../../client/errors.ts'
import type { ErrorName } from '../../contract/api/errors.ts'
import type { Payload } from '../../contract/api/table.ts'
import { identityOf } from '../../contract/kinds/face.ts'
import { isKindName, kindOf } from '../../contract/kinds/kinds.ts'
import { at } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import { realPath } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { type Dirs, ownersFolder } from '../dirs.ts'
import { fileStore, type Store } from '../service/config.ts'
import type { Connection } from '../service/connect.ts'
import { everyPage } from '../service/every-page.ts'
import { targetFile, targetName } from '../service/target-name.ts'
import type { Beside } from './beside.ts'
import { type Catalogs, type FoundCatalogs, labelOf } from './catalog-names.ts'
import type { Submodules } from './in-submodules.ts'
import type { LeftOut, OtherPlaces } from './left-out.ts'
import type { Namesake } from './namesakes.ts'
import { keyOf } from './plan/compare-record.ts'
import type { Deletion } from './plan/plan.ts'

/** Which catalog owns a record of a service, the one that applied it last: by its `ownKey`, or its `labelKey`. */
export type Owners = Readonly<Record<string, string>>

/** What identifies a record across runs: its kind and name, or that of a face's template and the viewers it is for. */
export const ownKey = (kind: KindName, document: Section): string =>
  kindOf(kind).key === 'name'
    ? labelKey({ kind, key: kindOf(kind).nameOf(document) })
    : [kind, document.template, ...identityOf(document)].join(' ')

/** What identifies a record on a service and in its labels: its kind and name, or a face's id. */
export const labelKey = ({ kind, key }: { readonly kind: string; readonly key: string }): string => `${kind} ${key}`

/** What identifies a folder among what this machine has recorded: the catalog that was applied from it. */
export const folderKey = (folder: string): string => labelKey({ kind: 'folder', key: folder })

/** The same of a file that was applied by itself, and is of no catalog with a name. */
export const fileKey = (file: string): string => labelKey({ kind: 'file', key: file })

/** The same of a file that held documents when it was applied, whatever path to its folder a run was given. */
export const documentsKey = (file: string): string =>
  labelKey({ kind: 'documents', key: join(realPath(dirname(file)), basename(file)) })

/** The paths of which this machine has recorded something: of `folderKey`, of `fileKey` or of `documentsKey`. */
export const pathsOf = (kind: 'folder' | 'file' | 'documents', owners: Owners): string[] =>
  Object.keys(owners).flatMap((key) => (key.startsWith(`${kind} `) ? [key.slice(kind.length + 1)] : []))

/** What identifies what this machine has recorded of the creation of a record, by the `ownKey` of that. */
export const creationKey = (record: string): string => labelKey({ kind: 'created', key: record })

/**
 * What tells a record from one of the same `ownKey` that was deleted: a face's id, else when it was created; undefined
 * if the service does not say that.
 */
export function creationOf(kind: KindName, record: Section): string | undefined {
  if (kindOf(kind).key !== 'name') return keyOf(kind, record)
  const created = at(record, 'meta', 'when_created')
  return typeof created === 'string' ? created : undefined
}

/** What identifies a record that a service lists, and what people call it. */
export function identityIn(kind: KindName, record: Section) {
  const own = kindOf(kind)
  const document = own.documentOf(record)
  const key = keyOf(kind, record)
  const name = own.nameOf(document)
  return {
    kind,
    key,
    name: name === key ? name : `${name} (${key})`,
    ownKey: ownKey(kind, document),
    creation: creationOf(kind, record),
  }
}

/** What says who owns a record. */
export type OwnedRecord = Pick<Deletion, 'kind' | 'key' | 'ownKey' | 'creation'>

/** The catalog that owns a record; undefined if none is known to, as of one that was deleted and made anew. */
export function ownerOf(record: OwnedRecord, owners: Owners): string | undefined {
  const { ownKey, creation } = record
  const recorded = owners[creationKey(ownKey)]
  const isAnother = recorded !== undefined && creation !== undefined && recorded !== creation
  const known = isAnother ? undefined : owners[ownKey]
  return labelKey(record) === ownKey ? known : (owners[labelKey(record)] ?? known)
}

/** The catalog that the label of a record names, in a list; an empty one for a record without a label. */
export function labelledWith(record: Pick<Deletion, 'kind' | 'key'>, labels: Owners): readonly string[] {
  const catalog = labels[labelKey(record)]
  return catalog === undefined ? [] : [catalog]
}

/** Whose records are looked for. */
export interface Ownership {
  readonly catalogs: Catalogs
  readonly owners: Owners
  /** The labels on the service; none if it stores none. */
  readonly labels?: Owners | undefined
  /** The revisions of the labels, as far as the service has them, by their `labelKey`. */
  readonly revisions?: Owners | undefined
  /** The templates of faces that have labels, by their `labelKey`. */
  readonly faceTemplates?: Readonly<Record<string, string>> | undefined
  /** What other files of the catalogs describe; none without it. */
  readonly beside?: Beside
  /** What files in the folders of the catalogs describe that are not in these; nothing without it. */
  readonly leftOut?: () => Promise<LeftOut>
  /** What files outside of the catalogs describe; nothing without it. */
  readonly elsewhere?: () => Promise<OtherPlaces>
  /** Which of the catalogs are in submodules that were not given themselves: what they own is not pruned. */
  readonly submodules?: Submodules
  /** Other folders of the same names. */
  readonly namesakes?: readonly Namesake[]
  /** Whether only a part of a catalog was given, so that nothing can be pruned. */
  readonly isPartial?: boolean
}

/**
 * The owners of the records of a service, and its labels. Where it stores labels, these alone say what catalogs with a name
 * own; of other catalogs, and elsewhere, this machine has recorded it.
 */
export async function ownersOf(context: Context): Promise<Pick<Ownership, 'owners' | keyof Labels>> {
  const connection = await context.connect()
  const [known, found] = await Promise.all([knownOwners(context), labelsOn(connection)])
  return { owners: { ...withoutLabelled(await known.read(), found?.labels), ...found?.labels }, ...found }
}

/** What this machine has recorded, without that of which the labels of a service say more, or nothing any more. */
function withoutLabelled(known: Owners, labels: Owners | undefined): Owners {
  if (labels === undefined) return known
  const labelled = new Set(Object.keys(labels).map(creationKey))
  const isKept = ([key, catalog]: readonly [string, string]) =>
    isRecordKey(key) ? labelOf(catalog) === null : !labelled.has(key)
  return Object.fromEntries(Object.entries(known).filter(isKept))
}

/** Whether a key is that of a record, not of a folder, a file, what that held, or a creation. */
export const isRecordKey = (key: string): boolean => isKindName(key.split(' ', 1)[0])

/** Owners where a catalog with a name owns what was applied from its folder before it had one. */
export const namedOwners = <O extends Pick<Ownership, 'owners'>>(owned: O, named: FoundCatalogs['named']): O => ({
  ...owned,
  owners: Object.fromEntries(
    Object.entries(owned.owners).map(([record, catalog]) => [record, named.get(catalog) ?? catalog]),
  ),
})

/** The owners of the records of the service that a run uses, as this machine has recorded them. */
export const knownOwners = async ({ dirs, target }: Pick<Context, 'dirs' | 'target'>): Promise<Store<Owners>> =>
  ownersAt(targetName(await target()), dirs)

/** The same of the service with a `targetName`. */
export const ownersAt = (service: string, dirs: Dirs): Store<Owners> =>
  fileStore<Owners>(
    ownersFolder(dirs),
    targetFile(service),
    {},
    async (value) => (await import('../service/saved.ts')).Owners.parse(value),
    { afterDeletion: 'apply each catalog again', variable: 'VATOM_DATA_DIR' },
  )

/** What the labels on a service say. */
type Labels = Required<Pick<Ownership, 'labels' | 'revisions' | 'faceTemplates'>>

/** The labels of the records of a service; undefined if it stores none. Only one that supports dry runs is asked. */
export async function labelsOn({ client, dryRun, isDryRunBlocked }: Connection): Promise<Labels | undefined> {
  if (!(await dryRun(() => {})) && !isDryRunBlocked()) return undefined
  const labels = await ifOffered(() => everyPage((query) => client.listLabels({ query }), labelKey))
  return (
    labels && {
      labels: Object.fromEntries(labels.map((label) => [labelKey(label), label.catalog])),
      revisions: saidOf(labels, ({ revision }) => revision),
      faceTemplates: saidOf(labels, ({ template }) => template),
    }
  )
}

type Label = Payload<'listLabels'>[number]

/** What labels say by their `labelKey`, without those that do not say it. */
const saidOf = (labels: readonly Label[], value: (label: Label) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    labels.flatMap((label) => {
      const said = value(label)
      return said === undefined ? [] : [[labelKey(label), said]]
    }),
  )

/** Whether a service stores labels, so that a run on another machine knows what a catalog owns. */
export async function storesLabels({
  client,
  dryRun,
  isDryRunBlocked,
}: Pick<Connection, 'client' | 'dryRun' | 'isDryRunBlocked'>): Promise<boolean> {
  if (!(await dryRun(() => {})) && !isDryRunBlocked()) return false
  return (await ifOffered(() => client.listLabels({ query: { limit: '1' } }))) !== undefined
}

/** What a service answers; undefined if it has no such operation. */
async function ifOffered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ServiceError && withoutOperation.includes(error.kind)) return undefined
    throw error
  }
}

/** How a service says that it has no such operation; a bare status may be of something between. */
const withoutOperation: readonly (ErrorName | undefined)[] = ['unknownPath', 'wrongMethod', 'notOffered', 'assumedOff']
