import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { limits } from '../contract/limits.ts'
import { UnreachableError } from './errors.ts'
import type { Transport } from './transport.ts'

export interface RetryOptions {
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly random: () => number
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number
  /** Milliseconds after which nothing is sent again, even where the service asks for a longer wait. */
  readonly limit: number
  /** Called when a service that has answered is waited for, because nothing listens at its address any more. */
  readonly onAway: () => void
}

/** Milliseconds before the first repetition; each further wait is twice as long. */
const firstWait = 200
/** How often a request is sent to a service that has answered before, and starts again: some ten seconds long. */
const attemptsWhileAway = 12
/** Milliseconds of the longest wait for such a service. */
const longestWhileAway = 1_000

/**
 * Sends again where that is safe: a read after any temporary failure, a write only where the service itself did not accept
 * it (429, or 503 with Retry-After): a gateway may answer that for a write that was carried out. A service that has answered
 * before is waited for where nothing listens any more, as it may start again: nothing was sent to it. Waits are partly
 * random, so that requests that were refused together are not repeated together.
 */
export function retrying(send: Transport, options: RetryOptions): Transport {
  const isAway = watch(options)
  return async (request) => {
    const started = options.now()
    let refusals = 0
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(send, request)
      refusals = isAway(outcome, refusals + 1) ? refusals + 1 : 0
      const wait = refusals > 0 ? awayWait(refusals, options) : waitFor(request, outcome, attempt, options)
      const elapsed = options.now() - started
      if (wait === undefined || elapsed + wait > options.limit) return settle(outcome, attempt, elapsed)
      await options.sleep(wait)
    }
  }
}

/** Whether a service is away that has answered before, and was not waited for in vain since: one for all requests to it. */
function watch({ onAway }: RetryOptions): (outcome: Outcome, refusals: number) => boolean {
  let wasThere = false
  let isWaitedFor = false
  return (outcome, refusals) => {
    if ('response' in outcome) {
      wasThere = true
      isWaitedFor = false
      return false
    }
    if (!wasThere || !isRefused(outcome.error)) return false
    if (!isWaitedFor) onAway()
    isWaitedFor = true
    wasThere = refusals < attemptsWhileAway
    return wasThere
  }
}

const awayWait = (refusals: number, { random }: RetryOptions) => Math.min(backoff(refusals, random), longestWhileAway)

const backoff = (attempt: number, random: () => number) => firstWait * 2 ** (attempt - 1) * (0.5 + random())

type Outcome = { response: WireResponse } | { error: unknown }

async function tryOnce(send: Transport, request: WireRequest): Promise<Outcome> {
  try {
    return { response: await send(request) }
  } catch (error) {
    return { error }
  }
}

/** The outcome, with how often it was asked for if that was more than once. */
function settle(outcome: Outcome, attempts: number, elapsed: number): WireResponse {
  const repeated = attempts > 1 ? { attempts, seconds: elapsed / 1000 } : undefined
  if ('response' in outcome) return repeated ? { ...outcome.response, repeated } : outcome.response
  if (outcome.error instanceof UnreachableError) outcome.error.repeated = repeated
  throw outcome.error
}

function waitFor(
  request: WireRequest,
  outcome: Outcome,
  attempt: number,
  { random }: RetryOptions,
): number | undefined {
  if (attempt >= limits.attempts && !isPaced(outcome)) return undefined
  const pause = backoff(attempt, random)
  if ('error' in outcome) return isRepeatable(request) && isClosed(outcome.error) ? pause : undefined
  if (mayDouble(request, outcome.response)) return undefined
  const { status } = outcome.response
  const asked = secondsToWait(outcome.response)
  if (status === 429 || (status === 503 && asked !== undefined))
    return asked === undefined ? pause : Math.max(asked * 1000, attempt > 1 ? pause : 0) + firstWait * random()
  return isRepeatable(request) && status >= 502 && status <= 504 ? pause : undefined
}

/** Whether somebody who bounds the number of requests says when to go on: that is done as often as the time allows. */
const isPaced = (outcome: Outcome): boolean =>
  'response' in outcome && outcome.response.status === 429 && secondsToWait(outcome.response) !== undefined

/** Whether to send a request again could carry it out twice. */
export const mayDouble = (request: WireRequest, { mayBeDone = false }: WireResponse): boolean =>
  mayBeDone && !isRepeatable(request)

const isRepeatable = ({ method, repeatable = method === 'GET' }: WireRequest) => repeatable

const isClosed = (error: unknown) => error instanceof UnreachableError && error.isClosed

const isRefused = (error: unknown) => error instanceof UnreachableError && error.isRefused

/** The seconds after which a service asks to send a request again; undefined if it does not say so. */
export function secondsToWait({ headers }: WireResponse): number | undefined {
  const header = headers['retry-after']
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  // Date.parse takes other numbers for dates, too.
  const until = /^[a-z]/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1000)
}
