import type { Kind } from '../../contract/values.ts'
import type { LoadedDocument } from '../../documents/types.ts'
import type { Context } from '../context.ts'
import { knownPublisher, signedInPublisher } from '../service/publisher.ts'
import { type Inputs, loadChecked } from './check.ts'
import type { Format } from './format.ts'
import { finishRows } from './results.ts'
import { type Send, sendDocuments } from './send.ts'

export interface CreateOptions {
  readonly noun: Kind
  readonly inputs: Inputs
  readonly format: Format
  /** Asks for what cannot be undone, before anything is sent. */
  readonly gate?: (documents: readonly LoadedDocument[]) => Promise<void>
  readonly send: Send
}

/** Checks every document, then sends them. Nothing is sent unless all of them are valid. */
export async function createDocuments(
  { noun, inputs, format, gate, send }: CreateOptions,
  context: Context,
): Promise<void> {
  const known = await knownPublisher(context)
  const first = await loadChecked({ noun, inputs, format, publisher: known }, context)
  await gate?.(first)
  const connection = await context.connect()
  const publisher = await signedInPublisher(connection)
  const documents = publisher === known ? first : await loadChecked({ noun, inputs, format, publisher }, context)
  await context.announce()
  finishRows(await sendDocuments(documents, send, connection, context), context.output)
}
