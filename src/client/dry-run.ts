import { dryRunDone, dryRunHeader, printPlace } from '../contract/api/dry-run.ts'
import { isChange } from '../contract/api/endpoint.ts'
import { operations } from '../contract/api/table.ts'
import type { WireRequest } from '../contract/api/wire.ts'
import { type Client, type ClientOptions, createClient } from './client.ts'
import { UnexpectedAnswerError } from './errors.ts'
import { createRawCall, type RawCall } from './raw.ts'
import type { Transport } from './transport.ts'

/** A client whose requests make up one dry run: each is answered as after those before it, and nothing is stored. */
export interface DryRun {
  readonly client: Client
  /** For requests that change something. */
  readonly raw: RawCall
}

/** A dry run on a service that offers them. */
export function createDryRun(options: ClientOptions): DryRun {
  const { reading, changing } = dryTransports(options.send)
  const [reads, changes] = [reading, changing].map((send) => createClient({ ...options, send })) as [Client, Client]
  const chosen = operations.filter(([, row]) => isChange(row)).map(([name]) => [name, changes[name]])
  return {
    client: { ...reads, ...(Object.fromEntries(chosen) as Partial<Client>) },
    raw: createRawCall({ ...options, send: changing }),
  }
}

/** Transports of one dry run, which counts what it changes: its requests are sent one after the other. */
function dryTransports(send: Transport): { readonly reading: Transport; readonly changing: Transport } {
  const id = crypto.randomUUID()
  let changes = 0
  let before: Promise<unknown> = Promise.resolve()
  const sendDry = async (request: WireRequest) => {
    const headers = { ...request.headers, [dryRunHeader]: printPlace({ id, changes }) }
    const response = await send({ ...request, headers })
    if (response.status === 200 && response.headers[dryRunHeader] !== dryRunDone)
      throw new UnexpectedAnswerError(
        `${request.method} ${request.path} was to be a dry run, and is not answered as one`,
      )
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
    reading: inOrder((request) => (changes === 0 ? send(request) : sendDry(request))),
    changing: inOrder(async (request) => {
      const response = await sendDry(request)
      if (response.status === 200) changes++
      return response
    }),
  }
}

/** A transport, and whether the service has offered dry runs in an answer; where it has not answered yet, it is asked. */
export function offeringDryRuns(
  send: Transport,
  appId: string,
): { send: Transport; isOffered: () => Promise<boolean> } {
  let isOffered: boolean | undefined
  const watched: Transport = async (request) => {
    const response = await send(request)
    isOffered ||= response.headers[dryRunHeader] !== undefined
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
