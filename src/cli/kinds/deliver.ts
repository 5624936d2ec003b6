import type { Kind } from '../../contract/kinds/kind.ts'
import type { Loaded, LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { Reported } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import type { Connection } from '../service/connect.ts'
import { knownPublisher, signedInPublisher } from '../service/publisher.ts'
import type { Format } from './format.ts'
import { type CheckOptions, type Inputs, loadChecked, tellLoaded } from './load-checked.ts'
import { finishRows, type Row } from './results.ts'
import { notSent, type Send, sendDocuments, subjectOf } from './send.ts'

interface DocumentsOptions {
  readonly kind: Kind
  readonly inputs: Inputs
  readonly format: Format
  /** Asks for what cannot be undone, before the service is called. */
  readonly gate?: (documents: readonly LoadedDocument[]) => Promise<void>
}

export interface CreateOptions extends DocumentsOptions {
  readonly send: Send
  /** Puts documents in an order in which the service takes them, where theirs will not do. */
  readonly order?: Order | undefined
}

/** The same documents in another order. */
export type Order = (documents: readonly LoadedDocument[], connection: Connection) => Promise<readonly LoadedDocument[]>

/** Checks every document, then sends them. Nothing is sent unless all of them are valid. */
export const createDocuments = ({ send, order, ...options }: CreateOptions, context: Context): Promise<void> =>
  withDocuments(
    {
      ...options,
      verbOf: ({ verb }) => verb,
      deliver: async (documents, connection) =>
        sendDocuments((await order?.(documents, connection)) ?? documents, send, connection, context),
    },
    context,
  )

interface DeliverOptions extends DocumentsOptions, Pick<CheckOptions, 'verbOf'> {
  /** Does what the command is about with documents that were found valid. */
  readonly deliver: (documents: readonly LoadedDocument[], connection: Connection) => Promise<Row[]>
}

/**
 * Checks every document, delivers them if all are valid, and says what became of each; what stops the run before the
 * first is sent stands in every document's row.
 */
export async function withDocuments(options: DeliverOptions, context: Context): Promise<void> {
  const known = await knownPublisher(context)
  const loaded = await loadChecked({ ...options, publisher: known }, context)
  const rows = await deliverAll(loaded, known, options, context).catch(async (error: unknown) => {
    if (error instanceof Reported) throw error
    const failure = await toFailure(error, context.host)
    return loaded.documents.map((document) => notSent(subjectOf(document), failure))
  })
  await finishRows(rows, options.format, context.output)
}

async function deliverAll(
  checked: Loaded,
  known: string | undefined,
  options: DeliverOptions,
  context: Context,
): Promise<Row[]> {
  const assumed = known ?? (await signedInPublisher(await context.connect()))
  const loaded = assumed === known ? checked : await loadChecked({ ...options, publisher: assumed }, context)
  await tellLoaded(loaded, options.kind, context.output)
  await context.announce()
  await options.gate?.(loaded.documents)
  const connection = await context.connect()
  const publisher = known === undefined ? assumed : await signedInPublisher(connection)
  const { documents } = publisher === assumed ? loaded : await loadChecked({ ...options, publisher }, context)
  return options.deliver(documents, connection)
}
