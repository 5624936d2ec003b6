import { dryRunDone, dryRunHeader, dryRunSupported } from '../contract/api/dry-run-header.ts'
import { isChange } from '../contract/api/endpoint.ts'
import { api } from '../contract/api/table.ts'
import type { WireResponse } from '../contract/api/wire.ts'
import { at } from '../contract/schema/path.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { readAnswer } from './answer.ts'
import { type Client, type ClientOptions, createClient } from './client.ts'
import { DryRunQueue, type End, type QueueOptions } from './dry-run-queue.ts'
import { createRawCall, type RawCall, rawError } from './raw.ts'
import { isTemporary } from './statuses.ts'
import type { Transport } from './transport.ts'

/** A client whose requests make up one dry run: each is answered as if those before it were stored, and none is. */
export interface DryRun {
  readonly client: Client
  /** For requests that change something. */
  readonly raw: RawCall
}

/** A dry run on a service that offers them. */
export function createDryRun(
  options: ClientOptions,
  dryRun: Pick<QueueOptions, 'atEnd' | 'onBusy' | 'isOnNetwork'>,
): DryRun {
  const { read, change } = new DryRunQueue({ ...dryRun, send: options.send, isBusy, endOf })
  return {
    client: createClient(options, (row) => (isChange(row) ? change : read)),
    raw: createRawCall({ ...options, send: change }),
  }
}

const isBusy = (response: WireResponse): boolean => rawError(response)?.kind === 'busy'

/** Why an answer ends a dry run; undefined if it does not. */
function endOf(response: WireResponse): End | undefined {
  const error = rawError(response)
  if (error?.kind === 'dryRunFull') return { why: 'full', reason: error.message }
  return error?.kind === 'dryRunLost' ? { why: 'forgotten' } : undefined
}

/** Whether an answer says what a service offers: it has the header, a payload, or says that there is no such operation. */
function tellsOffer({ status, headers, body }: WireResponse): boolean {
  if (headers[dryRunHeader] !== undefined) return true
  const answer = parseJson(body)
  return status === 200
    ? at(answer, 'payload') !== undefined
    : withoutOperation.includes(status) && Number.isInteger(at(answer, 'error'))
}

const withoutOperation: readonly number[] = [404, 405, 501]

/** What is known of the dry runs of a service. */
export interface Offer {
  /**
   * Whether requests arrive as dry runs, as the answer to a read with the header says; one is sent where there was none.
   * The header may be unknown to the service, or removed on the way. Throws what the client throws where the answer is none
   * of a vAtom service, which says nothing of it.
   */
  readonly isOffered: () => Promise<boolean>
  /** Whether the service supports dry runs, but the header was removed on the way to it. */
  readonly isBlocked: () => boolean
}

/** Finds out whether a service offers dry runs: `send` sends reads with the header until one has arrived with it. */
export function offeringDryRuns(carry: Transport, appId: string): Offer & { readonly send: Transport } {
  const seen = new Set<string | undefined>()
  const send: Transport = async (request) => {
    if (request.method !== 'GET' || dryRunHeader in request.headers || seen.has(dryRunDone)) return carry(request)
    const response = await carry({ ...request, headers: { ...request.headers, [dryRunHeader]: dryRunDone } })
    if (tellsOffer(response)) seen.add(response.headers[dryRunHeader])
    return response
  }
  return {
    send,
    isOffered: async () => {
      // The path is one of the API: a gateway may treat others differently.
      if (seen.size === 0) {
        const request = { method: 'GET', path: api.getAppVersion.path, headers: { 'app-id': appId }, changes: false }
        const response = await send(request)
        // What is refused for now was sent several times: the next request would be, too.
        if (seen.size === 0 || isTemporary(response.status)) readAnswer(api.getAppVersion, response, request)
      }
      return seen.has(dryRunDone)
    },
    isBlocked: () => seen.has(dryRunSupported) && !seen.has(dryRunDone),
  }
}
