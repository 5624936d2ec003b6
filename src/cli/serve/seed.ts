import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import { isFaceOf } from '../../contract/kinds/face-identity.ts'
import { nameList } from '../../contract/schema/suggest.ts'
import { kinds } from '../../contract/values.ts'
import { loadInOrder } from '../../documents/load/load-in-order.ts'
import type { Loaded, LoadedDocument } from '../../documents/load/loaded.ts'
import type { Service } from '../../server/service.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import type { Output } from '../io/output.ts'
import { styled } from '../io/text.ts'
import { plural } from '../kinds/gate.ts'
import { invalidFailure, refuseInvalid, rowsOf, sourceOf } from '../kinds/load-checked.ts'
import { problemLines } from '../kinds/problems.ts'
import { resultsJson } from '../kinds/results.ts'
import { writes } from '../kinds/writes.ts'
import { clientOf } from '../service/connect.ts'

/** The documents a service is to begin with, all of them valid; else says what is wrong with each, and throws Reported. */
export async function loadSeed(paths: readonly string[], publisher: string, context: Context): Promise<Loaded> {
  const loaded = await loadInOrder(paths, { ...sourceOf(context), publisher })
  const failure = await invalidFailure(loaded, '; nothing is served')
  if (failure === undefined) return loaded
  return refuseInvalid(resultsJson(rowsOf(loaded, 'template')), { loaded, format: 'text', failure }, context.output)
}

/** Creates documents, as their publisher, and says what was left alone because it is there. Stops at the first refusal. */
export async function plantSeed(loaded: Loaded, service: Service, { host, output }: Context): Promise<void> {
  output.complain(await problemLines(loaded, output))
  const { client } = clientOf(service)
  const known: LoadedDocument[] = []
  for (const document of loaded.documents) {
    host.signal.throwIfAborted()
    const isNew = await plant(document, client).catch(async (error: unknown) => {
      throw refused(document, await toFailure(error, host))
    })
    if (!isNew) known.push(document)
  }
  tell(loaded.documents, known, output)
}

const refused = ({ file, kind, name }: LoadedDocument, { code, exitCode, message, hint, issues }: Failure) =>
  exitCode === exit.interrupted
    ? new Failure(code, exitCode, message)
    : new Failure(code, exitCode, `${file}: the ${kind} ${name} was refused: ${message}`, { hint, issues })

/** Creates a document; false where there is one already. */
async function plant(document: LoadedDocument, client: Client): Promise<boolean> {
  try {
    if (await hasFace(document, client)) return false
    await writes[document.kind].create(client, document.value)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'nameTaken') return false
    throw error
  }
}

/** Whether there is a face for the same viewers: faces have no names of which one could be taken. */
async function hasFace({ kind, value }: LoadedDocument, client: Client): Promise<boolean> {
  if (kind !== 'face') return false
  const there = await client.listFaces({ query: { template: String(value.template) } })
  return there.some((record) => isFaceOf(value, record))
}

function tell(documents: readonly LoadedDocument[], known: readonly LoadedDocument[], output: Output): void {
  const created = documents.filter((document) => !known.includes(document))
  output.note(styled`seeded ${counts(created)}`)
  if (known.length > 0)
    output.note(styled`left alone, for they are there: ${nameList(known.map(({ kind, name }) => `${kind} ${name}`))}`)
}

/** `2 templates, 1 face` */
function counts(documents: readonly LoadedDocument[]): string {
  const parts = kinds.map((kind) => [kind, documents.filter((one) => one.kind === kind).length] as const)
  const some = parts.filter(([, count]) => count > 0)
  return some.map(([kind, count]) => plural(count, kind)).join(', ') || 'nothing'
}
