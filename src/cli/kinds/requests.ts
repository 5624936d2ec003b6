import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { Operation } from '../../contract/api/table.ts'
import type { FaceRecord } from '../../contract/kinds/face-schemas.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { creationOrder } from '../../contract/kinds/kinds.ts'
import { isObject } from '../../contract/schema/path.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { everyPage } from '../service/every-page.ts'

/** Makes a record of a document that was found valid. Of faces for the same viewers the service takes the first alone. */
export const createRecord = async (client: Client, { operations, key }: Kind, body: Section): Promise<Section> =>
  sectionOf(await method(client, operations.create)({ body, ...(key === 'id' && { unlessThere: true }) }))

/** Replaces fields, which were found valid, of the record of a name, or of a face of an id. */
export const updateRecord = async (client: Client, { operations, key }: Kind, id: string, body: Section) =>
  sectionOf(await method(client, operations.update)({ [key]: id, body }))

/** Publishes a draft, which is final. Spec 3. */
export const publishRecord = (client: Client, kind: Kind, name: string): Promise<Section> =>
  updateRecord(client, kind, name, { unpublished: false })

/** Deletes the record of a name, or a face of an id. */
export const removeRecord = (client: Client, { operations, key }: Kind, id: string): Promise<unknown> =>
  method(client, operations.remove)({ [key]: id })

/** The record of a name. A face has none: it is read among those of its template. */
export async function readRecord(client: Client, { one, operations }: Kind, name: string): Promise<Section> {
  if (operations.get === undefined) throw new Error(`no operation reads ${one}`)
  return sectionOf(await method(client, operations.get)({ name }))
}

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
 * The method of an operation that a kind names. What it takes is not known to the compiler: a body was parsed with the
 * schema of that very operation when it was checked, and the rest is the same for all kinds.
 */
const method = (client: Client, operation: Operation) => client[operation] as (input: object) => Promise<unknown>
