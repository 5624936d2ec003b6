import {
  mayBeDone,
  ServiceError,
  UnexpectedAnswerError,
  UnknownOutcomeError,
  UnreachableError,
} from '../../../client/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure/failure.ts'
import type { Sent } from '../../kinds/send.ts'
import { DoneMeanwhile, type Standing, whileAsBefore } from '../../kinds/sending-again.ts'
import type { Connection } from '../../service/connect.ts'
import { recordsOf } from '../plan/service-records.ts'
import { standingOf, type Task } from './tasks.ts'

/** Milliseconds before the second attempt; each further wait is twice as long. */
const firstWait = 250
/** Milliseconds after which a service has carried out or dropped a request that reached it over a network. */
export const settling = 2_000

/** How a task is sent. */
interface Sending {
  /** The state of its record before. */
  readonly before: string
  /** How often it is sent at most, if nobody asks to wait. */
  readonly most: number
}

/**
 * Does a task although its answer may get lost: before it is sent again, the service is asked whether it was done, so
 * that no record is created twice, and whether its record is as it was before, so that nobody else's change is lost. Where
 * it may have been done and that fails, too, it throws UnknownOutcomeError.
 */
export async function sendOnce(
  task: Task,
  { before, most }: Sending,
  { client }: Connection,
  { host }: Pick<Context, 'host'>,
): Promise<Sent> {
  let isUncertain = false
  const sent = (error: unknown) => {
    isUncertain ||= mayBeDone(error) && !isBounded(error)
  }
  try {
    const look = () => standingOf(task, before, recordsOf(client))
    return await sendUntilDone(task, { look, failed: sent, most, host })
  } catch (error) {
    if (isBounded(error)) error.mayBeDone = isUncertain
    throw isUncertain && !mayBeDone(error) ? new UnknownOutcomeError(error) : error
  }
}

/**
 * Whether a write was one of too many requests. Something between may say that, too: that it was not done then is seen
 * each time before it is sent again.
 */
const isBounded = (error: unknown): error is ServiceError => error instanceof ServiceError && error.status === 429

interface Attempting extends Pick<Context, 'host'> {
  /** What has become of its record. */
  readonly look: () => Promise<Standing>
  readonly failed: (error: unknown) => void
  readonly most: number
}

async function sendUntilDone(task: Task, { look, failed, most, host }: Attempting): Promise<Sent> {
  const started = host.monotonic()
  let left: number = limits.pacedPatience
  let sent = 0
  for (let attempt = 1; ; attempt++) {
    try {
      await task.send(whileAsBefore(look))
      return task.result()
    } catch (error) {
      if (error instanceof DoneMeanwhile) return task.result()
      failed(error)
      const isKnown = !isUnsettled(error)
      const asked = most === 1 ? undefined : pauseAskedBy(error, left)
      const isLast = (attempt >= most && asked === undefined) || host.signal.aborted
      const others = doneByOthers(error, task)
      if (others && (await look()) === 'as sent') return attempt === 1 ? unchangedBy(others, task) : task.result()
      sent += attemptsOf(error)
      if (attempt > 1) countAttempts(error, sent, host.monotonic() - started)
      if (isLast || (isKnown && attempt === 1)) throw error
      const backoff = firstWait * 2 ** (Math.min(attempt, most) - 1) * (0.5 + host.random())
      const wait = Math.max(backoff, asked ?? 0)
      left -= wait
      await host.sleep(task.isRepeatable ? wait : Math.max(settling, wait))
      const standing = await look()
      if (standing === 'as sent') return task.result()
      if (isKnown) throw error
      if (standing !== 'as before') throw standing
    }
  }
}

/** The milliseconds after which whoever bounds the number of requests has one sent again, if there is time for that. */
function pauseAskedBy(error: unknown, left: number): number | undefined {
  if (!isBounded(error) || error.retryAfter === undefined) return undefined
  const asked = error.retryAfter * 1000
  return asked < left ? asked : undefined
}

/** The result of a write that was refused the first time it was sent: what is there now is what was to be there. */
const unchangedBy = (others: string, { subject: { kind, name } }: Task): Sent => ({
  status: 'unchanged',
  message: `${kind} ${name} ${others} it meanwhile`,
})

/** How often a failed write was sent, with what was sent again without asking. */
const attemptsOf = (error: unknown): number =>
  error instanceof UnreachableError || error instanceof ServiceError ? (error.repeated?.attempts ?? 1) : 1

/** Says in the error of a write how often it was sent. */
function countAttempts(error: unknown, attempts: number, elapsed: number): void {
  if (error instanceof UnreachableError || error instanceof ServiceError)
    error.repeated = { attempts, seconds: elapsed / 1000 }
}

/** What another run, or a request that arrived late, may have done with the record before it was refused. */
function doneByOthers(error: unknown, { byOthers }: Task): string | undefined {
  const refused = error instanceof Failure ? error.cause : error
  return refused instanceof ServiceError && refused.kind ? byOthers[refused.kind] : undefined
}

/** Whether the outcome of a failed write is known: nothing was written. */
export const isSettled = ({ code, cause }: Failure): boolean => code !== 'interrupted' && !isUnsettled(cause)

/**
 * Whether the outcome of a write is unknown: no answer of the service came, or one that says that it failed. What was to
 * be a dry run is never sent again.
 */
const isUnsettled = (error: unknown): boolean =>
  error instanceof UnexpectedAnswerError
    ? error.mayBeDone && !error.isDryRun
    : mayBeDone(error) || error instanceof UnreachableError || (error instanceof ServiceError && error.status >= 500)
