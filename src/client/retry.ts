import { errorCatalogue } from '../contract/api/errors.ts'
import type { Repeated, WireRequest, WireResponse } from '../contract/api/wire.ts'
import { limits } from '../contract/limits.ts'
import { at } from '../contract/schema/path.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { UnreachableError } from './errors.ts'
import { isOfService } from './of-service.ts'
import { isUnavailable } from './statuses.ts'
import type { Transport } from './transport.ts'

export interface RetryOptions {
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly random: () => number
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number
  /** Milliseconds after which nothing is sent again, even where the service asks for a longer wait. */
  readonly limit: number
  /** Called when a service that has answered is waited for: with the status that is answered, or none where nothing listens. */
  readonly onAway: (status?: number) => void
}

/** Milliseconds before the first repetition; each further wait is twice as long. */
const firstWait = 200
/** Milliseconds of the longest wait for a service that is away, unless it is asked for. */
const longestWhileAway = 1_000

/**
 * Sends again where that is safe: a read after any temporary failure, a write only where the service itself did not accept
 * it (429, or 503 with Retry-After): a gateway may answer that for a write that was carried out. A service that has answered
 * before is waited for where nothing listens any more, to which nothing was sent, and where 408, 502, 503 or 504 is answered
 * to what may be sent again: it may start again. Waits are partly random, so that requests that were refused together are not
 * repeated together.
 */
export function retrying(send: Transport, options: RetryOptions): Transport {
  const waitWhileAway = watch(options)
  return async (request) => {
    const started = options.now()
    let awaySince: number | undefined
    let waits = 0
    let isUncertain = false
    for (let attempt = 1; ; attempt++) {
      awaySince ??= options.now()
      const outcome = await tryOnce(send, request)
      isUncertain ||= isMaybeDone(outcome)
      const pause = waitWhileAway(request, outcome, { waits, since: awaySince })
      if (pause === undefined) awaySince = undefined
      else waits++
      // What fails otherwise once it is back has as many attempts as ever.
      const attempts = mayStartAgain(request, outcome) ? attempt : attempt - waits
      const wait = pause ?? waitFor(request, outcome, attempts, options)
      const elapsed = options.now() - started
      if (wait === undefined || elapsed + wait > options.limit) return settle(outcome, attempt, elapsed)
      await options.sleep(wait)
      // What is no change, such as a dry run, may be sent again whatever has become of its record.
      if (request.changes) await request.beforeAgain?.(isUncertain)
    }
  }
}

/** What a request that may have found a service away knows of it. */
interface Absence {
  /** How often it has waited. */
  readonly waits: number
  /** When it was sent for the first time of those that found nobody: answers that take long are waited for, too. */
  readonly since: number
}

type WhileAway = (request: WireRequest, outcome: Outcome, absence: Absence) => number | undefined

/**
 * The milliseconds to wait for a service that has answered before, and was not waited for in vain since; undefined if it is
 * not away, or was waited for long enough. One for all requests to it.
 */
function watch({ random, now, onAway }: RetryOptions): WhileAway {
  let wasThere = false
  let isWaitedFor = false
  return (request, outcome, { waits, since }) => {
    if (isThere(outcome)) {
      wasThere = true
      isWaitedFor = false
      return undefined
    }
    if (!wasThere || !mayStartAgain(request, outcome)) return undefined
    const pause = paced(outcome, Math.min(backoff(waits + 1, random), longestWhileAway), random)
    wasThere = now() - since + pause <= limits.awayPatience
    if (!wasThere) return undefined
    if (!isWaitedFor) onAway('response' in outcome ? outcome.response.status : undefined)
    isWaitedFor = true
    return pause
  }
}

/** Whether an outcome shows that the service takes requests. */
const isThere = (outcome: Outcome): boolean => 'response' in outcome && !isUnavailable(outcome.response.status)

/** Whether a service may be away for a moment only, and its request may be sent again. */
const mayStartAgain = (request: WireRequest, outcome: Outcome): boolean =>
  'error' in outcome
    ? isRefused(outcome.error)
    : isPostponed(request, outcome.response) && (!isOfService(outcome.response) || isClosing(outcome.response))

/** Whether a service says that it ends: one that is only busy goes on. */
const isClosing = (response: WireResponse): boolean => codeIn(response) === errorCatalogue.closing.code

/** The codes with which a vAtom service refuses a request for now, which nothing else has. */
const ownRefusals: readonly unknown[] = [errorCatalogue.busy.code, errorCatalogue.closing.code]

const codeIn = ({ body }: WireResponse): unknown => at(parseJson(body), 'error')

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
  if ('response' in outcome) return withAttempts(outcome.response, attempts, elapsed)
  throw countAttempts(outcome.error, attempts, elapsed)
}

/** An error, which says how often was asked for an answer within so many milliseconds if that was more than once. */
export function countAttempts(error: unknown, attempts: number, elapsed: number): unknown {
  if (error instanceof UnreachableError) error.repeated = repeatedOf(attempts, elapsed)
  return error
}

/** An answer, with how often it was asked for within so many milliseconds if that was more than once. */
export function withAttempts(response: WireResponse, attempts: number, elapsed: number): WireResponse {
  const repeated = repeatedOf(attempts, elapsed)
  return repeated ? { ...response, repeated } : response
}

const repeatedOf = (attempts: number, elapsed: number): Repeated | undefined =>
  attempts > 1 ? { attempts, seconds: elapsed / 1000 } : undefined

function waitFor(
  request: WireRequest,
  outcome: Outcome,
  attempt: number,
  { random }: RetryOptions,
): number | undefined {
  if (attempt >= limits.attempts && !isPaced(outcome)) return undefined
  const pause = backoff(attempt, random)
  if ('error' in outcome) return isRepeatable(request) && isClosed(outcome.error) ? pause : undefined
  const { response } = outcome
  const isBounded = response.status === 429 && !mayDouble(request, response)
  if (!isBounded && !isPostponed(request, response)) return undefined
  return paced(outcome, pause, random)
}

/** A wait that is as long as an answer asks for, at least. */
function paced(outcome: Outcome, pause: number, random: () => number): number {
  const asked = 'response' in outcome ? secondsToWait(outcome.response) : undefined
  return asked === undefined ? pause : Math.max(asked * 1000, pause) + firstWait * random()
}

/** Whether an answer says that the service cannot be used now, and its request may be sent again. */
function isPostponed(request: WireRequest, response: WireResponse): boolean {
  if (!isUnavailable(response.status) || mayDouble(request, response)) return false
  return isRepeatable(request) || (response.status === 503 && secondsToWait(response) !== undefined)
}

/** Whether somebody who bounds the number of requests says when to go on: that is done as often as the time allows. */
const isPaced = (outcome: Outcome): boolean =>
  'response' in outcome && outcome.response.status === 429 && secondsToWait(outcome.response) !== undefined

/** Whether something else than a vAtom service may have answered 503 to a request that was carried out. */
const isMaybeDone = (outcome: Outcome): boolean =>
  'response' in outcome && outcome.response.status === 503 && !ownRefusals.includes(codeIn(outcome.response))

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
  // The clock of whoever answers counts: that of this machine may be wrong.
  const answered = Date.parse(headers.date ?? '')
  const now = Number.isNaN(answered) ? Date.now() : answered
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1000))
}
