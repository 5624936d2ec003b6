import type { Kind } from '../../contract/kinds/kind.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { Reported } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import type { Connection } from '../service/connect.ts'
import { assumedPublisher, signedInPublisher } from '../service/publisher.ts'
import type { Format } from './format.ts'
import { type CheckOptions, type Inputs, loadChecked, tellLoaded } from './load-checked.ts'
import { finishRows, type Row } from './results.ts'
import { notSent, runJobs, type Send, subjectOf } from './send.ts'

interface DocumentsOptions {
  readonly kind: Kind
  readonly inputs: Inputs
  readonly format: Format
  /** Asks for what cannot be undone, before the service is called. */
  readonly gate?: (documents: readonly LoadedDocument[]) => Promise<void>
  /** Puts documents in an order in which the service takes them, where theirs will not do. */
  readonly order?: Order | undefined
}

export interface CreateOptions extends DocumentsOptions {
  readonly send: Send
}

/** The same documents in another order. */
export type Order = (documents: readonly LoadedDocument[], connection: Connection) => Promise<readonly LoadedDocument[]>

/** Checks every document, then sends them. Nothing is sent unless all of them are valid. */
export const createDocuments = ({ send, ...options }: CreateOptions, context: Context): Promise<void> =>
  withDocuments({ ...options, verbOf: ({ verb }) => verb, sender: async () => send }, context)

interface DeliverOptions extends DocumentsOptions, Pick<CheckOptions, 'verbOf'> {
  /** How to send each of the documents, which were found valid. */
  readonly sender: (documents: readonly LoadedDocument[], connection: Connection) => Promise<Send>
}

/**
 * Checks every document, sends them if all are valid, and says what became of each; what stops the run before the
 * first is sent stands in every document's row.
 */
export async function withDocuments(options: DeliverOptions, context: Context): Promise<void> {
  const load = (publisher: string | undefined) => loadChecked({ ...options, publisher }, context)
  const assumed = await assumedPublisher(context)
  let loaded = await load(assumed.name)
  let rows: readonly Row[]
  try {
    if (assumed.failure) throw assumed.failure
    await tellLoaded(loaded, options.kind, context.output)
    await context.announce()
    await options.gate?.(loaded.documents)
    const connection = await context.connect()
    const publisher = assumed.isConfirmed ? assumed.name : await signedInPublisher(connection)
    if (publisher !== assumed.name) loaded = await load(publisher)
    const documents = (await options.order?.(loaded.documents, connection)) ?? loaded.documents
    const send = await options.sender(documents, connection)
    const jobs = documents.map((one) => ({ subject: subjectOf(one), run: () => send(one, connection) }))
    rows = await runJobs(jobs, context)
  } catch (error) {
    if (error instanceof Reported) throw error
    const failure = await toFailure(error, context.host)
    rows = loaded.documents.map((document) => notSent(subjectOf(document), failure))
  }
  await finishRows(rows, options.format, context.output)
}
