import type { Client } from '../../client/client.ts'
import type { Operation } from '../../contract/api/table.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import type { KindName } from '../../contract/values.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'

/** Makes a record of a document that was found valid. Of faces for the same viewers the service takes the first alone. */
export async function createRecord(client: Client, kind: KindName, document: Section): Promise<Section> {
  const { operations, key } = kindOf(kind)
  const { kindSchemas } = await import('../../contract/kinds/schemas.ts')
  const body = kindSchemas[kind].document().parse(document)
  return sectionOf(await call(client, operations.create, { body, ...(key === 'id' && { unlessThere: true }) }))
}

/** Replaces fields, which were found valid, of the record of a name, or of a face of an id. */
export async function updateRecord(client: Client, kind: KindName, key: string, fields: Section): Promise<Section> {
  const { operations, key: keyName } = kindOf(kind)
  const { kindSchemas } = await import('../../contract/kinds/schemas.ts')
  const body = kindSchemas[kind].update().parse(fields)
  return sectionOf(await call(client, operations.update, { [keyName]: key, body }))
}

/** Deletes the record of a name, or a face of an id. */
export async function removeRecord(client: Client, kind: KindName, key: string): Promise<Section> {
  const { operations, key: keyName } = kindOf(kind)
  return sectionOf(await call(client, operations.remove, { [keyName]: key }))
}

/**
 * Calls an operation that the table of a kind names. What it takes is not known to the compiler: bodies were parsed with
 * the operation's own schema, and the rest is the same for all kinds.
 */
const call = (client: Client, operation: Operation, input: object): Promise<unknown> =>
  (client[operation] as (input: object) => Promise<unknown>)(input)
