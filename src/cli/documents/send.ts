import type { LoadedDocument } from '../../documents/types.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import { progress } from '../output/progress.ts'
import type { Connection } from '../service/connect.ts'
import { fileOf, type Row, type Status } from './results.ts'

/** What sending one document came to. */
export interface Sent {
  readonly status: Status
  readonly message: string
}
export type Send = (document: LoadedDocument, connection: Connection) => Promise<Sent>

/** Sends the documents one after the other; when nobody answers or lets us in, the rest is not sent. */
export async function sendDocuments(
  documents: readonly LoadedDocument[],
  send: Send,
  connection: Connection,
  { host, output }: Context,
): Promise<Row[]> {
  const rows: Row[] = []
  const bar = await progress(output, host, documents.length)
  let stopped: Failure | undefined
  for (const document of documents) {
    bar.step(`${document.kind} ${document.name}`)
    stopped ??= host.signal.aborted ? new Failure('interrupted', exit.interrupted, 'interrupted') : undefined
    const row = stopped ? notSent(document, stopped) : await sendOne(document, send, connection, host)
    if (row.failure && stopping.includes(row.failure.exitCode)) stopped = row.failure
    rows.push(row)
  }
  bar.stop()
  return rows
}

const stopping: readonly number[] = [exit.session, exit.unreachable, exit.interrupted]

async function sendOne(
  document: LoadedDocument,
  send: Send,
  connection: Connection,
  host: Context['host'],
): Promise<Row> {
  try {
    return { ...base(document), ...(await send(document, connection)) }
  } catch (error) {
    const failure = await toFailure(error, host)
    const status = failure.exitCode === exit.refused ? 'refused' : 'failed'
    return { ...base(document), status, message: failure.message, failure }
  }
}

/** A document that was not sent, and why. */
export const notSent = (document: LoadedDocument, failure: Failure): Row => ({
  ...base(document),
  status: 'not_sent',
  message: `not sent: ${failure.message}`,
  failure,
})

const base = ({ file, kind, name, problems, locate }: LoadedDocument) => ({
  file: fileOf(file),
  kind,
  name,
  problems,
  place: locate([kind === 'variation' ? 'template_variation' : 'template']),
})
