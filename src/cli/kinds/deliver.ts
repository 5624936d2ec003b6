import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { Reported } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import type { Connection } from '../service/connect.ts'
import { assumedPublisher, signedInPublisher } from '../service/publisher.ts'
import { type CheckOptions, loadChecked, warnOfLoaded } from './load-checked.ts'
import { finishRows, type Row } from './results.ts'
import { notSent, runJobs, type Send, subjectOf } from './send.ts'

/** The same documents in another order. */
export type Order = (documents: readonly LoadedDocument[], connection: Connection) => Promise<readonly LoadedDocument[]>

interface DeliverOptions extends Omit<CheckOptions, 'publisher'> {
  /** Asks about what cannot be undone, before the service is called. */
  readonly gate?: (documents: readonly LoadedDocument[]) => Promise<void>
  /** Sorts documents into an order that the service accepts. */
  readonly order?: Order | undefined
  /** Prepares the requests of valid documents, and answers how to send each. */
  readonly sender: (documents: readonly LoadedDocument[], connection: Connection) => Promise<Send>
}

interface CreateOptions extends Omit<DeliverOptions, 'verbOf' | 'sender'> {
  readonly send: Send
}

/** Checks every document, then sends them. Nothing is sent unless all of them are valid. */
export const createDocuments = ({ send, ...options }: CreateOptions, context: Context): Promise<void> =>
  withDocuments({ ...options, verbOf: ({ verb }) => verb, sender: async () => send }, context)

/**
 * Checks every document, sends them if all are valid, and reports each; a failure before the first is sent is reported
 * for every document.
 */
export async function withDocuments(options: DeliverOptions, context: Context): Promise<void> {
  const load = (publisher: string | undefined) => loadChecked({ ...options, publisher }, context)
  const assumed = await assumedPublisher(context)
  let loaded = await load(assumed.name)
  let rows: readonly Row[]
  try {
    if (assumed.failure) throw assumed.failure
    await warnOfLoaded(loaded, options.kind, context.output)
    await context.announce()
    await options.gate?.(loaded.documents)
    const connection = await context.connect()
    const publisher = assumed.isConfirmed ? assumed.name : await signedInPublisher(context)
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
  await finishRows(rows, options, context.output)
}
