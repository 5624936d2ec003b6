import { dryRunDone, dryRunHeader, dryRunOffered, printPlace } from '../contract/api/dry-run.ts'
import { isChange } from '../contract/api/endpoint.ts'
import type { ErrorName } from '../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { type Client, type ClientOptions, createClient } from './client.ts'
import { ServiceError, UnexpectedAnswerError } from './errors.ts'
import { createRawCall, type RawCall, rawError } from './raw.ts'
import type { Transport } from './transport.ts'

/** A client whose requests make up one dry run: each is answered as if those before it were stored, and none is. */
export interface DryRun {
  readonly client: Client
  /** For requests that change something. */
  readonly raw: RawCall
}

/** A dry run on a service that offers them. `atEnd` receives the number of predicted answers when the service predicts no more. */
export function createDryRun(options: ClientOptions, atEnd: (predicted: number) => void): DryRun {
  const { reading, changing } = dryTransports(options.send, atEnd)
  return {
    client: createClient(options, (row) => (isChange(row) ? changing : reading)),
    raw: createRawCall({ ...options, send: changing }),
  }
}

/**
 * Transports of one dry run. Requests are sent one after the other, because each states how many changes precede it. Once
 * the service predicts no more, reads are sent without the dry run, and changes get the answer that ended it.
 */
function dryTransports(
  send: Transport,
  atEnd: (predicted: number) => void,
): { readonly reading: Transport; readonly changing: Transport } {
  const id = crypto.randomUUID()
  let changes = 0
  let predicted = 0
  let ended: WireResponse | undefined
  let before: Promise<unknown> = Promise.resolve()
  const sendDry = async (request: WireRequest) => {
    const headers = { ...request.headers, [dryRunHeader]: printPlace({ id, changes }) }
    const response = await send({ ...request, headers, changes: false })
    if (response.status === 200 && response.headers[dryRunHeader] !== dryRunDone)
      throw new UnexpectedAnswerError(
        `${request.method} ${request.path} was sent as a dry run, but the answer is not marked as one`,
      )
    if (isEnd(response)) {
      ended = response
      atEnd(predicted)
    }
    return response
  }
  const inOrder =
    (carry: Transport): Transport =>
    (request) => {
      const sent = before.then(() => carry(request))
      before = sent.catch(() => undefined)
      return sent
    }
  return {
    reading: inOrder(async (request) => {
      if (changes === 0 || ended) return send(request)
      const response = await sendDry(request)
      return ended ? send(request) : response
    }),
    changing: inOrder(async (request) => {
      if (ended) return ended
      const response = await sendDry(request)
      if (response.status === 200) changes++
      if (!ended) predicted++
      return response
    }),
  }
}

/** Errors of requests whose answers cannot be predicted, though the requests may succeed. */
const unpredicted: readonly unknown[] = ['dryRunRefused', 'dryRunFull', 'dryRunLost'] satisfies ErrorName[]
export const isUnpredicted = (error: unknown): boolean =>
  error instanceof ServiceError && unpredicted.includes(error.kind)

/** Whether an answer ends a dry run: the service predicts no more. */
const isEnd = (response: WireResponse): boolean => {
  const error = rawError(response)
  return isUnpredicted(error) && error?.kind !== 'dryRunRefused'
}

/** The values of the header in answers of services that offer dry runs. */
const offers: readonly unknown[] = [dryRunDone, dryRunOffered]

/** A transport, and whether the service offers dry runs, as its answers say; a request is sent where there was none. */
export function offeringDryRuns(
  send: Transport,
  appId: string,
): { send: Transport; isOffered: () => Promise<boolean> } {
  let isOffered: boolean | undefined
  const watched: Transport = async (request) => {
    const response = await send(request)
    isOffered ||= offers.includes(response.headers[dryRunHeader])
    return response
  }
  return {
    send: watched,
    isOffered: async () => {
      if (isOffered === undefined)
        await watched({ method: 'GET', path: '/__vatom/health', headers: { 'app-id': appId } })
      return isOffered === true
    },
  }
}
