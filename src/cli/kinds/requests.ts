import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { Operation } from '../../contract/api/table.ts'
import type { FaceRecord } from '../../contract/kinds/face-schemas.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { creationOrder } from '../../contract/kinds/kinds.ts'
import { at, isObject } from '../../contract/schema/path.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { everyPage } from '../service/every-page.ts'

/** Creates a record from a valid document. A second face for the same viewers is refused. */
export const createRecord = async (client: Client, { operations, key }: Kind, body: Section): Promise<Section> =>
  sectionOf(await method(client, operations.create)({ body, ...(key === 'id' && { unlessThere: true }) }))

/** Changes fields, which are valid, of the record with a name, or of the face with an id. */
export const updateRecord = async (client: Client, { operations, key }: Kind, id: string, body: Section) =>
  sectionOf(await method(client, operations.update)({ [key]: id, body }))

/** Publishes a draft, which is final, with the fields that are given. Spec 3. */
export const publishRecord = (client: Client, kind: Kind, name: string, fields: Section = {}): Promise<Section> =>
  updateRecord(client, kind, name, { ...fields, unpublished: false })

/** Deletes the record with a name, or the face with an id. */
export const removeRecord = (client: Client, { operations, key }: Kind, id: string): Promise<unknown> =>
  method(client, operations.remove)({ [key]: id })

/** The record with a name. Faces have no name: list those of their template. */
export async function readRecord(client: Client, { one, operations }: Kind, name: string): Promise<Section> {
  if (operations.get === undefined) throw new Error(`no operation reads ${one}`)
  return sectionOf(await method(client, operations.get)({ name }))
}

/** Whether a record is not published; a record that does not exist is not, either. Spec 3. */
export const isDraft = (record: unknown): boolean => at(record, 'properties', 'unpublished') !== false

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

/** A page of the records of a kind. */
export async function listRecords(client: Client, { operations }: Kind, query: object): Promise<readonly Section[]> {
  const found = await method(client, operations.list)({ query })
  return Array.isArray(found) ? found.filter(isObject) : []
}

/**
 * The client's method for an operation of a kind. The compiler does not know its input: the body was checked with the
 * schema of the operation, and the rest is the same for all kinds.
 */
const method = (client: Client, operation: Operation) => client[operation] as (input: object) => Promise<unknown>
