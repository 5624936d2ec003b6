import { dryRunDone, dryRunHeader, dryRunListsOffered, dryRunOffered } from '../contract/api/dry-run.ts'
import { isChange } from '../contract/api/endpoint.ts'
import type { WireResponse } from '../contract/api/wire.ts'
import { type Client, type ClientOptions, createClient } from './client.ts'
import { DryRunQueue, type QueueOptions } from './dry-run-queue.ts'
import { isUnpredicted } from './errors.ts'
import { createRawCall, type RawCall, rawError } from './raw.ts'
import type { Transport } from './transport.ts'

/** A client whose requests make up one dry run: each is answered as if those before it were stored, and none is. */
export interface DryRun {
  readonly client: Client
  /** For requests that change something. */
  readonly raw: RawCall
}

/** A dry run on a service that offers them. */
export function createDryRun(options: ClientOptions, dryRun: Pick<QueueOptions, 'atEnd' | 'takesLists'>): DryRun {
  const { read, change } = new DryRunQueue({ ...dryRun, send: options.send, isEnd })
  return {
    client: createClient(options, (row) => (isChange(row) ? change : read)),
    raw: createRawCall({ ...options, send: change }),
  }
}

/** Whether an answer ends a dry run: the service predicts no more. */
const isEnd = (response: WireResponse): boolean => {
  const error = rawError(response)
  return isUnpredicted(error) && error?.kind !== 'dryRunRefused'
}

/** What a service offers. */
interface Offer {
  /** A transport that sees what the answers offer. */
  readonly send: Transport
  /** Whether the service offers dry runs, as its answers say; a request is sent where there was none. */
  readonly isOffered: () => Promise<boolean>
  /** Whether it takes lists of requests, too. */
  readonly takesLists: () => boolean
}

/** Finds out whether a service offers dry runs. */
export function offeringDryRuns(send: Transport, appId: string): Offer {
  const seen = new Set<string | undefined>()
  const watched: Transport = async (request) => {
    const response = await send(request)
    seen.add(response.headers[dryRunHeader])
    return response
  }
  return {
    send: watched,
    isOffered: async () => {
      if (seen.size === 0) await watched({ method: 'GET', path: '/__vatom/health', headers: { 'app-id': appId } })
      return [dryRunDone, dryRunOffered, dryRunListsOffered].some((value) => seen.has(value))
    },
    takesLists: () => seen.has(dryRunListsOffered),
  }
}
