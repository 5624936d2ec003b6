import { identityOf } from '../../../contract/kinds/face.ts'
import { creationOrder, isKindName, kindOf } from '../../../contract/kinds/kinds.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { countOf, emittedIn, emittedText } from '../../kinds/draft-contents.ts'
import { isNeverPruned, isPublished } from '../../kinds/requests.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { otherNamed } from '../catalog-names.ts'
import type { OtherPlace } from '../left-out.ts'
import { othersText } from '../of-others.ts'
import type { PruneOptions } from '../options.ts'
import { identityIn, labelKey, labelledWith, type Ownership, ownerOf, ownKey } from '../owners.ts'
import { earlierThan } from '../versions.ts'
import { digestOf, markOf, modifiedOf } from './compare-record.ts'
import { type Deletion, isTemplate, type Step, type Unlisted } from './plan.ts'
import type { ServiceRecords } from './service-records.ts'

/**
 * Records on the service that are in no file: faces, actions and draft variations of the catalog's templates, all that
 * the catalog owns, and drafts of earlier versions that another one owns, as of the name that the catalog had before.
 */
export async function unlistedOf(
  steps: readonly Step[],
  records: ServiceRecords,
  ownership: Ownership,
): Promise<Unlisted[]> {
  const wanted = new Set(
    steps.map(({ document, record }) => labelKey({ kind: document.kind, key: record?.key ?? document.name })),
  )
  const listed = new Map(steps.map(({ document: { kind, value, file } }) => [ownKey(kind, value), file]))
  const templates = steps.filter(({ document, record }) => isTemplate(document) && record)
  const below = await inParallel(templates, ({ document }) => recordsBelow(document.name, records))
  const named = await inParallel(ownNames(ownership, listed), ([kind, name]) =>
    recordNamed(kind, name, records, ownership),
  )
  const earlier = await inParallel(earlierTemplates(steps, ownership, listed), (template) =>
    draftsOwned(template, records, ownership),
  )
  const guests = await inParallel(guestLists(ownership, new Set([...wanted, ...listed.keys()])), (list) =>
    recordsIn(list, records),
  )
  const own = [...named, ...guests].flat().filter((one) => isOwn(ownerOf(one, ownership.owners), ownership))
  const found = new Map([...below.flat(), ...earlier.flat(), ...own].map((one) => [labelKey(one), one]))
  const unwanted = [...found.values()].filter((one) => !wanted.has(labelKey(one)))
  const given = unwanted.length > 0 ? await ownership.beside?.() : undefined
  const inNoFile = unwanted.filter((one) => listed.has(one.ownKey) || given?.has(one.ownKey) !== true)
  const leftOut = inNoFile.length > 0 ? await ownership.leftOut?.() : undefined
  const placeOf = ({ ownKey }: Found) => (listed.has(ownKey) ? undefined : leftOut?.places.get(ownKey))
  // Published templates stay, as earlier versions do, and nobody has removed what they have.
  const isRemoved = (one: Found) => isTemplate(one) && one.isPublished && placeOf(one) === undefined
  const published = new Set(inNoFile.filter(isRemoved).map(({ key }) => key))
  const owned = inNoFile.map((one) => {
    const catalog = catalogOf(one, listed.get(one.ownKey), ownership)
    const labelled = {
      ...one,
      catalog,
      expectedCatalogs: ownership.labels && labelledWith(one, ownership.labels),
      labelRevision: ownership.revisions?.[labelKey(one)],
    }
    const submodule = catalog === undefined || one.isPublished ? undefined : ownership.submodules?.get(catalog)
    if (submodule !== undefined) return { ...labelled, prunedBy: undefined, submodule }
    if (!one.isFinal && published.has(one.template))
      return { ...labelled, prunedBy: undefined, staysWithTemplate: true }
    return { ...labelled, prunedBy: prunedBy(catalog, ownership), ...sameNamed(one, catalog, ownership) }
  })
  const left = owned.flatMap((one) => keptFor(one, placeOf(one), ownership))
  const isRisky = left.some(isAtRisk)
  if (isRisky) leftOut?.check()
  const others = isRisky ? await ownership.elsewhere?.() : undefined
  return left.map((one) => {
    const place = isOnlyHere(one) && !listed.has(one.ownKey) ? others?.get(one.ownKey) : undefined
    return place === undefined ? one : keptIn(place, one, ownership)
  })
}

/** A record with the place that describes it; nothing for one that belongs there already. */
function keptFor(one: Unlisted, place: OtherPlace | undefined, ownership: Ownership): Unlisted[] {
  if (place === undefined) return [one]
  return one.prunedBy === undefined || one.alsoIn !== undefined ? [] : [keptIn(place, one, ownership)]
}

/** A record with the place that describes it, because of which no option deletes it. */
function keptIn(place: OtherPlace, one: Unlisted, ownership: Ownership): Unlisted {
  const kept = { ...one, prunedBy: undefined }
  if ('ignoredIn' in place) return { ...kept, ignoredIn: place.ignoredIn }
  return { ...kept, alsoIn: place.alsoIn, isSameName: isOwn(place.catalog, ownership) }
}

/** Whether pruning would delete a record. */
const isAtRisk = (one: Unlisted): boolean => isOnlyHere(one) && !one.isFinal

/** Whether an unpublished record is of these catalogs or of none, and no other folder is known to describe it. */
const isOnlyHere = ({ prunedBy, isPublished, alsoIn }: Unlisted): boolean =>
  prunedBy !== undefined && !isPublished && alsoIn === undefined

/** What catalogs own of a publisher: this machine records it by the address of a service, which can have several. */
export function ofPublisher(ownership: Ownership, publisher: string): Ownership {
  const isTheirs = ([owned]: readonly [string, string]) => {
    // Labels name a face by its id, and the service has those of the publisher alone.
    const [, name = ''] = owned.split(' ')
    return !name.includes('::') || name.startsWith(`${publisher}::`)
  }
  return { ...ownership, owners: Object.fromEntries(Object.entries(ownership.owners).filter(isTheirs)) }
}

/** The other folder with the name of a record's catalog that describes it: pruning would delete it. */
function sameNamed(
  { ownKey }: Found,
  catalog: string | undefined,
  { namesakes = [] }: Ownership,
): Pick<Unlisted, 'alsoIn' | 'isSameName'> {
  const other = namesakes.find((one) => one.catalog === catalog && one.keys.has(ownKey))
  return other === undefined ? {} : { alsoIn: other.folder, isSameName: true }
}

function prunedBy(catalog: string | undefined, ownership: Ownership): Unlisted['prunedBy'] {
  if (catalog === undefined) return '--prune-unowned'
  return isOfAnother(catalog, ownership) ? undefined : '--prune'
}

/** Whether a catalog is one of those of the files. */
const isOwn = (catalog: string | undefined, { catalogs }: Pick<Ownership, 'catalogs'>): boolean =>
  catalog !== undefined && Object.values(catalogs).includes(catalog)

/** Whether a catalog is known, and is none of those of the files. */
const isOfAnother = (catalog: string | undefined, ownership: Pick<Ownership, 'catalogs'>): catalog is string =>
  catalog !== undefined && !isOwn(catalog, ownership)

/**
 * The owner of a record that is in no file; one that duplicates a face of a file is of the file's catalog, unless its label
 * names another.
 */
function catalogOf(one: Found, file: string | undefined, { catalogs, owners, labels }: Ownership): string | undefined {
  if (file === undefined) return ownerOf(one, owners)
  return otherNamed(labels?.[labelKey(one)], Object.values(catalogs)) ?? catalogs[file]
}

/** Names of templates and variations that the catalogs own and no file has. */
function ownNames({ catalogs, owners }: Ownership, listed: ReadonlyMap<string, string>): [KindName, string][] {
  const own = new Set(Object.values(catalogs))
  return Object.entries(owners).flatMap(([owned, catalog]) => {
    // The name can contain spaces.
    const [, kind = '', name = ''] = /^(\S*) (.*)$/s.exec(owned) ?? []
    const isOurs = isKindName(kind) && kindOf(kind).hasDrafts && own.has(catalog) && !listed.has(owned)
    return isOurs ? [[kind, name] as [KindName, string]] : []
  })
}

/** Templates that another catalog owns and no file has, and that are earlier versions of those of the files. */
function earlierTemplates(steps: readonly Step[], ownership: Ownership, listed: ReadonlyMap<string, string>): string[] {
  const isEarlier = earlierThan(steps.flatMap(({ document }) => (isTemplate(document) ? [document.name] : [])))
  const prefix = labelKey({ kind: 'template', key: '' })
  return Object.entries(ownership.owners).flatMap(([owned, catalog]) => {
    const name = owned.slice(prefix.length)
    const isTheirs = owned.startsWith(prefix) && isOfAnother(catalog, ownership) && !listed.has(owned)
    return isTheirs && isEarlier(name) ? [name] : []
  })
}

/** A template and its variations, those that are drafts and that a catalog owns. */
async function draftsOwned(template: string, records: ServiceRecords, ownership: Ownership): Promise<Found[]> {
  const named = await recordNamed('template', template, records, ownership)
  const variations = await recordsIn({ kind: 'variation', template }, records)
  return [...named, ...variations].filter((one) => !one.isPublished && ownerOf(one, ownership.owners) !== undefined)
}

/** The records of a kind of a template. */
interface List {
  readonly kind: KindName
  readonly template: string
}

/**
 * Where faces and actions are that the catalogs own and that are not `known`, on templates that the catalogs do not own:
 * those of an own template that is in no file stay with it.
 */
function guestLists({ catalogs, owners, faceTemplates }: Ownership, known: ReadonlySet<string>): List[] {
  const lists = Object.entries(owners).flatMap(([owned, catalog]): List[] => {
    const [kind = '', ...words] = owned.split(' ')
    if (!isKindName(kind) || kindOf(kind).hasDrafts || known.has(owned) || !isOwn(catalog, { catalogs })) return []
    const template =
      kindOf(kind).key === 'name'
        ? kindOf(kind).templateOf({ name: words.join(' ') })
        : (faceTemplates?.[owned] ?? words.slice(0, -identityOf(undefined).length).join(' '))
    const isGuest = template && !isOwn(owners[labelKey({ kind: 'template', key: template })], { catalogs })
    return isGuest ? [{ kind, template }] : []
  })
  return [...new Map(lists.map((list) => [`${list.kind} ${list.template}`, list])).values()]
}

type Found = Omit<Unlisted, 'catalog' | 'prunedBy'>

/** Kinds of records that belong to a template; what others need is deleted last. */
const kindsBelow = creationOrder.filter(({ parent }) => parent !== undefined).reverse()

async function recordsBelow(template: string, records: ServiceRecords): Promise<Found[]> {
  const found = await Promise.all(kindsBelow.map(({ name }) => recordsIn({ kind: name, template }, records)))
  return found.flat()
}

async function recordsIn({ kind, template }: List, records: ServiceRecords): Promise<Found[]> {
  const all = await records.ofTemplate(kind, template)
  return all.map((stored, place) => ({ ...foundOf(kind, stored, template), record: { stored, place } }))
}

async function recordNamed(
  kind: KindName,
  name: string,
  records: ServiceRecords,
  ownership: Ownership,
): Promise<Found[]> {
  const record = await records.named(kind, name)
  if (record === undefined) return []
  const found = foundOf(kind, record, kindOf(kind).templateOf(kindOf(kind).documentOf(record)) ?? '')
  if (!isTemplate(found)) return [found]
  const below = await recordsBelow(name, records)
  const owner = ownerOf(found, ownership.owners)
  const catalogs = isOfAnother(owner, ownership) ? [owner] : Object.values(ownership.catalogs)
  const others = othersText(below, ownership.owners, catalogs)
  return [{ ...found, below, contents: contentsOfTemplate(found, below), others }]
}

/** A template of which some records are deleted, with those alone that it has then. */
export function withoutDeleted(one: Unlisted, deletions: readonly Deletion[]): Unlisted {
  if (one.below === undefined) return one
  const deleted = new Set(deletions.map(labelKey))
  const remaining = one.below.filter((record) => !deleted.has(labelKey(record)))
  return { ...one, contents: contentsOfTemplate(one, remaining) }
}

/** How many records of each kind a template has, and how many vAtoms a draft of one: `2 faces`, `1 variation`, `3 vAtoms`. */
function contentsOfTemplate({ isPublished }: Found, below: NonNullable<Unlisted['below']>): string[] {
  const counts = kindsBelow.map(({ name }) => [name, below.filter(({ kind }) => kind === name).length] as const)
  const variations = below.flatMap(({ kind, record }) => (kind === 'variation' && record ? [record.stored] : []))
  const records = counts.flatMap(([name, count]) => (count > 0 ? [plural(count, name)] : []))
  return isPublished ? records : [...records, ...emittedText(emittedIn(variations))]
}

function foundOf(kind: KindName, record: Section, template: string): Found {
  return {
    ...identityIn(kind, record),
    template,
    mark: unlistedMark(kind, record),
    modified: modifiedOf(record),
    contents: contentsOf(kind, record),
    ...(kind === 'variation' && { expectedVatoms: countOf(emittedIn([record])) }),
    isFinal: isNeverPruned(kind, record),
    isPublished: isPublished(kind, record),
  }
}

/** What is deleted with a record. */
export const contentsOf = (kind: KindName, record: Section): readonly string[] =>
  kind === 'variation' ? emittedText(emittedIn([record])) : []

/** Digest of a record that a plan may delete, and of what is deleted with it. */
export function unlistedMark(kind: KindName, record: Section, contents = contentsOf(kind, record)): string {
  return contents.length > 0 ? digestOf([markOf(kind, record), contents]) : markOf(kind, record)
}

/** Whether a record that is in no file is deleted: --prune those of these catalogs, --prune-unowned those of none. */
export function pruning({ prune = false, pruneUnowned = false }: PruneOptions) {
  if (!prune && !pruneUnowned) return undefined
  const given = { '--prune': prune, '--prune-unowned': pruneUnowned }
  return ({ prunedBy }: Unlisted): boolean => prunedBy !== undefined && given[prunedBy]
}
