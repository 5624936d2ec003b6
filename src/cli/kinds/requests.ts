import type { Client } from '../../client/client.ts'
import { method } from '../../client/create-record.ts'
import { ServiceError } from '../../client/errors.ts'
import type { SendingAgain } from '../../client/transport.ts'
import type { ActionHandlerRecord } from '../../contract/kinds/action-schemas.ts'
import type { FaceRecord } from '../../contract/kinds/face-schemas.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { creationOrder, kindOf } from '../../contract/kinds/kinds.ts'
import { at, isObject } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { everyPage } from '../service/every-page.ts'

/** The record with a name, or the face with an id; and the catalogs of which it must be, if a label says of which it is. */
export interface RecordOf {
  readonly key: string
  readonly catalogs?: readonly string[] | undefined
}

/** A record that is to be deleted. */
interface Removal extends RecordOf {
  /** How many vAtoms may be deleted with it; undefined for any number. */
  readonly vatoms?: number | undefined
}

const inputOf = (kind: Kind, { key, catalogs, vatoms }: Removal) => ({
  [kind.key]: key,
  query: {
    ...(catalogs && { catalog: catalogs.join(',') }),
    ...(vatoms !== undefined && { vatoms: String(vatoms) }),
  },
})

/** Changes fields, which are valid, of a record. */
export const updateRecord = async (
  client: Client,
  kind: Kind,
  record: RecordOf,
  body: Section,
  again?: SendingAgain,
): Promise<Section> =>
  sectionOf(await method(client, kind.operations.update)({ ...inputOf(kind, record), body }, again))

/** Publishes a draft, which is final, with the fields that are given. Spec 3. */
export const publishRecord = (
  client: Client,
  kind: Kind,
  record: RecordOf,
  fields: Section = {},
  again?: SendingAgain,
): Promise<Section> => updateRecord(client, kind, record, { ...fields, unpublished: false }, again)

/** Deletes a record. */
export const removeRecord = (client: Client, kind: Kind, record: Removal, again?: SendingAgain): Promise<unknown> =>
  method(client, kind.operations.remove)(inputOf(kind, record), again)

/** The record with a name. Faces have no name: list those of their template. */
export async function readRecord(client: Client, { one, operations }: Kind, name: string): Promise<Section> {
  if (operations.get === undefined) throw new Error(`no operation reads ${one}`)
  return sectionOf(await method(client, operations.get)({ name }))
}

/** Whether a record is not published; a record that does not exist is not, either. Spec 3. */
export const isDraft = (record: unknown): boolean => at(record, 'properties', 'unpublished') !== false

/** Whether a record is published. */
export const isPublished = (kind: KindName, record: unknown): boolean => kindOf(kind).hasDrafts && !isDraft(record)

/** Whether no option to prune deletes a record: a template, or what is published. */
export const isNeverPruned = (kind: KindName, record: unknown): boolean =>
  kindOf(kind).parent === undefined || isPublished(kind, record)

/** The record that a read answers; undefined if the service has none. */
export async function ifFound<R>(read: Promise<R>): Promise<R | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined
    throw error
  }
}

/** Kinds whose records are listed without a template. */
export const listedKinds: readonly Kind[] = creationOrder.filter(({ listed }) => listed !== undefined)

/** All records of a kind, in the order of the service. Fails with missingReference for a template that does not exist. */
export const allRecords = (client: Client, kind: Kind, query: object): Promise<Section[]> =>
  everyPage(
    (paging) => listRecords(client, kind, { ...query, ...paging }),
    (record) => record[kind.key],
  )

/** All faces of a template, in order of registration. Fails with missingReference for a template that does not exist. */
export const facesOf = ({ listFaces }: Pick<Client, 'listFaces'>, template: string): Promise<FaceRecord[]> =>
  everyPage(
    (paging) => listFaces({ query: { template, ...paging } }),
    ({ id }) => id,
  )

/** All action handlers of the caller's publisher, by reactor. */
export const handlersOf = ({
  listActionHandlers,
}: Pick<Client, 'listActionHandlers'>): Promise<ActionHandlerRecord[]> =>
  everyPage(
    (query) => listActionHandlers({ query }),
    ({ reactor }) => reactor,
  )

/** A page of the records of a kind. */
export async function listRecords(client: Client, { operations }: Kind, query: object): Promise<readonly Section[]> {
  const found = await method(client, operations.list)({ query })
  return Array.isArray(found) ? found.filter(isObject) : []
}
