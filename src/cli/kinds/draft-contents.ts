import type { Client } from '../../client/client.ts'
import { unlessRefused } from '../../client/errors.ts'
import type { Discover } from '../../contract/api/discover.ts'
import { variation } from '../../contract/kinds/variation.ts'
import { at } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import { currentUser, vatomTypeKey } from '../../contract/values.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import { allRecords, isDraft } from './requests.ts'

/** How many vAtoms are deleted with drafts of variations. */
export function emittedIn(records: readonly Section[]): Emitted {
  const countsOf = (field: string) => records.filter(isDraft).map((record) => numberIn(at(record, 'properties', field)))
  return { total: sum(countsOf('num_vatoms')), trashed: sum(countsOf('num_trashed')) }
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** A sum; undefined if one of the counts is. */
const sum = (counts: readonly (number | undefined)[]) =>
  counts.reduce((total, count) => (total === undefined || count === undefined ? undefined : total + count), 0)

/** The vAtoms that are deleted with drafts. A number that the service does not report is undefined. */
export interface Emitted {
  readonly total: number | undefined
  /** How many more were trashed or redeemed, so that nobody owns them. */
  readonly trashed: number | undefined
  /** How many of them somebody else owns; not there if nobody asked. */
  readonly others?: number | undefined
}

/** How many vAtoms are deleted, whoever owns them; undefined if the service does not report all numbers. */
export const countOf = ({ total, trashed }: Emitted): number | undefined => sum([total, trashed])

/** `3 vAtoms (1 of somebody else)`, and `2 more that are trashed or redeemed`; empty for none. */
export function emittedText(emitted: Emitted): readonly string[] {
  const owned = ownedText(emitted)
  const { trashed = 0 } = emitted
  if (trashed === 0) return owned
  const more = `${trashed} more that ${trashed === 1 ? 'is' : 'are'} trashed or redeemed`
  return [...owned, owned.length > 0 ? more : plural(trashed, 'trashed or redeemed vAtom')]
}

function ownedText(emitted: Emitted): readonly string[] {
  const { total, others } = emitted
  if (total === 0) return []
  const text = total === undefined ? 'what was emitted' : plural(total, 'vAtom')
  if (others === 0 || !('others' in emitted)) return [text]
  if (others === undefined) return [`${text} (whoever owns ${total === undefined || total === 1 ? 'it' : 'them'})`]
  if (total === 1) return [`${text} of somebody else`]
  return [`${text} (${others === total ? 'all' : others} of somebody else)`]
}

/** What is deleted with the drafts of a template, or with one variation. */
export async function emittedWithOwners(
  client: Client,
  drafts: readonly Section[],
  [field, name]: readonly ['template' | 'template_variation', string],
): Promise<Emitted> {
  const emitted = emittedIn(drafts)
  const { total } = emitted
  const element = { field: `${vatomTypeKey}.${field}`, filter_op: 'Eq', value: name } as const
  const own = total === 0 ? 0 : await ownCount(client, [{ filter_elems: [element] }])
  return { ...emitted, others: total === undefined || own === undefined ? undefined : Math.max(0, total - own) }
}

/** The vAtoms of several deletions. */
export const emittedByAll = (all: readonly Emitted[]): Emitted => ({
  total: sum(all.map(({ total }) => total)),
  trashed: sum(all.map(({ trashed }) => trashed)),
  others: sum(all.map(({ others }) => others)),
})

/** How many vAtoms the caller owns, of those that filters find; undefined if the service does not count them. */
export async function ownCount(client: Client, filters: Discover['filters'] = []): Promise<number | undefined> {
  const scope = { key: `${vatomTypeKey}.owner`, value: currentUser } as const
  const found: unknown = await client
    .discover({ body: { scope, filters, return: { type: 'count' } } })
    .catch(unlessRefused)
  const count = at(found, 'count')
  return typeof count === 'number' ? count : undefined
}

/** The variations of a template, each with the numbers of its vAtoms. */
export const variationsOf = (client: Client, template: string): Promise<readonly Section[]> =>
  allRecords(client, variation, { template, fields: 'name,properties(unpublished,num_vatoms,num_trashed)' })

/** ` with its faces, 2 variations and 5 vAtoms`; empty for nothing. */
export const withAll = (parts: readonly string[]): string => (parts.length === 0 ? '' : ` with ${listText(parts)}`)

/** The vAtoms that are deleted with a record: `3 vAtoms and 1 more that is trashed or redeemed`, `no vAtoms`. */
export const vatomsText = (parts: readonly string[]): string => listText(parts) || 'no vAtoms'

const listText = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
