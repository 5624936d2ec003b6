import type { Operation } from '../contract/api/table.ts'
import type { Kind } from '../contract/kinds/kind.ts'
import { type Section, sectionOf } from '../contract/vatom/complete.ts'
import type { Client } from './client.ts'
import type { SendingAgain } from './transport.ts'

/** Creates a record from a valid document. A second face for the same viewers is refused. */
export const createRecord = async (
  client: Client,
  { operations, key }: Kind,
  body: Section,
  again?: SendingAgain,
): Promise<Section> =>
  sectionOf(await method(client, operations.create)({ body, ...(key === 'id' && { unlessThere: true }) }, again))

/**
 * The client's method for an operation of a kind. The compiler does not know its input: the body was checked with the
 * schema of the operation, and the rest is the same for all kinds.
 */
export const method = (client: Client, operation: Operation) =>
  client[operation] as (input: object, again?: SendingAgain) => Promise<unknown>
