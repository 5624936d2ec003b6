import type { Client } from '../../client/client.ts'
import type { DryRun } from '../../client/dry-run.ts'
import type { End } from '../../client/dry-run-queue.ts'
import { isUnpredicted } from '../../client/errors.ts'
import { type RawRequest, rawError, rowOf } from '../../client/raw.ts'
import { buildRequest } from '../../client/request.ts'
import { type Endpoint, isChange } from '../../contract/api/endpoint.ts'
import { type Operation, operations } from '../../contract/api/table.ts'
import type { WireResponse } from '../../contract/api/wire.ts'
import { at } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import type { Output } from '../io/output.ts'
import { styled } from '../io/text.ts'
import type { Status } from '../kinds/results.ts'
import type { Connection } from '../service/connect.ts'
import { bodyWithoutSecrets, pathWithoutSecrets, withoutSecrets } from './secrets.ts'
import { type Unsent, Would } from './would.ts'

/**
 * A connection that writes nothing. If the service offers dry runs, all writes are sent as one dry run: a write throws
 * its refusal, or `Would` with the predicted answer. If not, writes are not sent, and throw `Would` without an answer.
 */
export function withoutWrites(
  connection: Connection,
  output: Pick<Output, 'note'>,
  atEnd = noteEnd(connection, output),
): Connection {
  const { place } = connection
  let opened: Promise<DryRun | undefined> | undefined
  const dryRun = () => {
    opened ??= connection.dryRun(atEnd).then((found) => {
      if (!found)
        output.note(styled`${whyNoDryRun(connection)}: requests are only shown, the service does not check them`)
      return found
    })
    return opened
  }
  const opening: Opening = { place, output, dryRun, isOpen: () => opened !== undefined }
  return {
    ...connection,
    client: dryClient(connection, opening),
    raw: async (request) => (isRead(request) ? connection.raw(request) : predictedRaw(request, opening)),
  }
}

/** Says that a service predicts no more. */
const noteEnd =
  ({ place }: Connection, output: Pick<Output, 'note'>) =>
  (predicted: number, end: End): void =>
    output.note(
      styled`the other requests are shown without answer: ${endText(place, plural(predicted, 'answer'), end)}`,
    )

/** Why a service predicts no more than so much, and what can be done. */
export function endText(place: string, predicted: string, end: End): string {
  if (end.why === 'full')
    return `${place} predicts no more than ${predicted} at once (${end.reason}); to have all checked, name files or folders with fewer changes`
  if (end.why === 'forgotten')
    return `${place} forgot the dry run after ${predicted}, as there were too many at once, or it was started again`
  return `not all dry runs reach ${place}, which predicted ${predicted}: ${removal} from some methods or paths`
}

/** Why dry runs do not arrive. */
const removal = 'something on the way, such as a gateway, removes the header Vatom-Dry-Run'

/** Why a connection has no dry run. */
export const whyNoDryRun = ({ place, isDryRunBlocked }: Connection): string =>
  isDryRunBlocked() ? `dry runs do not reach ${place}: ${removal}` : `${place} does not support dry runs`

/** A dry run that is opened with the first write. */
interface Opening {
  readonly place: string
  readonly output: Pick<Output, 'note'>
  readonly dryRun: () => Promise<DryRun | undefined>
  readonly isOpen: () => boolean
}

function dryClient({ client }: Connection, { dryRun, isOpen }: Opening): Client {
  const methods = operations.map(([name, row]) => [
    name,
    isChange(row)
      ? (input: unknown) => predicted(name, row, input, dryRun)
      : async (input: unknown) => call(((isOpen() && (await dryRun())) || { client }).client, name, input),
  ])
  return Object.fromEntries(methods) as Client
}

/** The table says which input an operation takes. */
const call = (client: Client, name: Operation, input: unknown) =>
  (client[name] as (input: unknown) => Promise<unknown>)(input)

async function predicted(name: Operation, row: Endpoint, input: unknown, dryRun: Opening['dryRun']): Promise<never> {
  const answer = row.upload ? undefined : await answerOf(await dryRun(), (client) => call(client, name, input))
  const request: Unsent = {
    method: row.method,
    path: buildRequest(row, input, '').path,
    ...(row.body && { body: withoutSecrets(at(input, 'body')) }),
  }
  throw new Would(row.summary.charAt(0).toLowerCase() + row.summary.slice(1), outcome(row, input), request, answer)
}

/** The predicted answer; undefined if the service cannot predict it. Throws the service's refusal. */
async function answerOf(dryRun: DryRun | undefined, send: (client: Client) => Promise<unknown>): Promise<unknown> {
  if (!dryRun) return undefined
  try {
    return withoutSecrets(await send(dryRun.client))
  } catch (error) {
    if (isUnpredicted(error)) return undefined
    throw error
  }
}

function isRead(request: RawRequest): boolean {
  const row = rowOf(request)
  return request.method === 'GET' || (row !== undefined && !isChange(row))
}

/** Returns a refusal of the service, or throws `Would`. A request that is no operation of the API is not sent. */
async function predictedRaw(request: RawRequest, { place, dryRun, output }: Opening): Promise<WireResponse> {
  const { method, path, body } = request
  const shown = pathWithoutSecrets(path)
  const row = rowOf(request)
  const response = row && !row.upload ? await (await dryRun())?.raw(request) : undefined
  const refused = response && rawError(response)
  if (response && refused && !isUnpredicted(refused)) return response
  const reason = refused?.message ?? (row?.upload ? 'it uploads files' : 'it is no operation of the API')
  if (!row || row.upload || refused)
    output.note(styled`the answer to ${method} ${shown} cannot be predicted: ${reason}`)
  const unsent: Unsent = { method, path: shown, ...(body !== undefined && { body: bodyWithoutSecrets(body) }) }
  const answer = response && !refused ? at(bodyWithoutSecrets(response.body), 'payload') : undefined
  throw new Would(`send ${method} ${shown} to ${place}`, outcomes[method] ?? 'updated', unsent, answer)
}

const outcomes: Readonly<Partial<Record<string, Status>>> = { POST: 'created', DELETE: 'deleted' }

/** The status that a write would have in a table of results. */
const outcome = ({ method }: Endpoint, input: unknown): Status =>
  at(input, 'body', 'unpublished') === false ? 'published' : (outcomes[method] ?? 'updated')
