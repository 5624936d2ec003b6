import { dryRunDone, dryRunHeader, dryRunOffered, printPlace } from '../contract/api/dry-run.ts'
import { isChange } from '../contract/api/endpoint.ts'
import type { ErrorName } from '../contract/api/errors.ts'
import { operations } from '../contract/api/table.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { type Client, type ClientOptions, createClient } from './client.ts'
import { ServiceError, UnexpectedAnswerError } from './errors.ts'
import { createRawCall, type RawCall, rawError } from './raw.ts'
import type { Transport } from './transport.ts'

/** A client whose requests make up one dry run: each is answered as after those before it, and nothing is stored. */
export interface DryRun {
  readonly client: Client
  /** For requests that change something. */
  readonly raw: RawCall
}

/** A dry run on a service that offers them. `atEnd` is called with the number of predicted answers when it predicts no more. */
export function createDryRun(options: ClientOptions, atEnd: (predicted: number) => void): DryRun {
  const { reading, changing } = dryTransports(options.send, atEnd)
  const [reads, changes] = [reading, changing].map((send) => createClient({ ...options, send })) as [Client, Client]
  const chosen = operations.filter(([, row]) => isChange(row)).map(([name]) => [name, changes[name]])
  return {
    client: { ...reads, ...(Object.fromEntries(chosen) as Partial<Client>) },
    raw: createRawCall({ ...options, send: changing }),
  }
}

/**
 * Transports of one dry run, which counts what it changes: its requests are sent one after the other. Once the service
 * predicts no more, what reads is sent by itself, and what changes something is answered as the one before.
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
    const response = await send({ ...request, headers })
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

/** Errors of requests whose answers are not predicted, though they might succeed. */
const unpredicted: readonly unknown[] = ['dryRunRefused', 'dryRunFull', 'dryRunLost'] satisfies ErrorName[]
export const isUnpredicted = (error: unknown): boolean =>
  error instanceof ServiceError && unpredicted.includes(error.kind)

/** Whether the service predicts no more of a dry run. */
const isEnd = (response: WireResponse): boolean => {
  const error = rawError(response)
  return isUnpredicted(error) && error?.kind !== 'dryRunRefused'
}

/** What answers of a service that offers dry runs say. */
const offers: readonly unknown[] = [dryRunDone, dryRunOffered]

/** A transport, and whether the service has offered dry runs in an answer; where it has not answered yet, it is asked. */
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
