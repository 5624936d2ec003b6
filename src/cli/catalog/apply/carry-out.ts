import { ServiceError, UnreachableError } from '../../../client/errors.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import type { Progress } from '../../io/progress.ts'
import type { Row } from '../../kinds/results.ts'
import { notSent, runJob, type Sent, stopsAll } from '../../kinds/send.ts'
import type { Connection } from '../../service/connect.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { stateOf } from '../plan/service-records.ts'
import type { Ledger } from './ledger.ts'
import type { Task } from './tasks.ts'

/** What a run works with. */
export interface Run {
  readonly connection: Connection
  readonly context: Context
  readonly ledger: Ledger
  readonly progress: Progress
  /** What became of the tasks so far. */
  readonly outcomes: Map<string, Row>
  /** Whether what cannot be undone has begun. */
  isPastBoundary: boolean
  /** Why nothing more is sent. */
  stopped?: Failure | undefined
}

/**
 * Carries tasks out, several of a group at a time. What needs one that failed is not sent, and when nobody answers or
 * lets us in, nothing more is.
 */
export async function carryOut(groups: readonly (readonly Task[])[], run: Run): Promise<void> {
  for (const group of groups)
    await inParallel(group, async (task) => {
      run.progress.step(`${task.subject.kind} ${task.subject.name}`)
      run.outcomes.set(task.id, await outcomeOf(task, run))
    })
}

async function outcomeOf(task: Task, run: Run): Promise<Row> {
  const reason = reasonAgainst(task, run)
  if (reason) return notSent(task.subject, reason)
  const row = await runJob({ subject: task.subject, run: () => kept(task, run) }, run.context.host)
  if (row.failure === undefined || isSettled(row.failure)) run.ledger.settle(task.id)
  if (row.failure && stopsAll(row.failure)) run.stopped = row.failure
  return row
}

/** Nothing is sent that a later run would not know of. */
async function kept(task: Task, run: Run): Promise<Sent> {
  await run.ledger.begin(task.id)
  return surely(task, run)
}

function reasonAgainst(task: Task, { context, outcomes, stopped }: Run): Failure | undefined {
  if (context.host.signal.aborted) return new Failure('interrupted', exit.interrupted, 'interrupted')
  return stopped ?? task.needs.flatMap((id) => outcomes.get(id)?.failure ?? [])[0]
}

/** Times that a write is sent at most, where nobody knows what came of the one before. */
const attempts = 4
/** Milliseconds before the second; each wait is twice the one before. */
const firstWait = 250
/** Milliseconds after which a service that is reached over a network has done or dropped what it was asked. */
export const settling = 2_000

/**
 * Does a task whose answer may get lost: before it is sent again, the service is asked whether it was done. So a
 * record is never made twice.
 */
async function surely(task: Task, { connection, context }: Run): Promise<Sent> {
  const { host } = context
  const isThere = () => task.isDone(stateOf(connection.client))
  for (let attempt = 1; ; attempt++) {
    try {
      await task.run()
      return task.sent()
    } catch (error) {
      const isKnown = !isUnsettled(error)
      const isLast = attempt === attempts || host.signal.aborted
      if (isTaken(error) && (await isThere())) return task.sent()
      if (isLast || (isKnown && attempt === 1)) throw error
      const wait = firstWait * 2 ** (attempt - 1) * (0.5 + host.random())
      await host.sleep(task.isRepeatable ? wait : Math.max(settling, wait))
      if (await isThere()) return task.sent()
      if (isKnown) throw error
    }
  }
}

/** Whether a record is there that was to be made: by another run, or by a request that came late. */
const isTaken = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'nameTaken'

/** Whether a failure says that nothing came of a write. */
const isSettled = ({ code, cause }: Failure): boolean => code !== 'interrupted' && !isUnsettled(cause)

/** Whether nobody knows what came of a write: no answer came, or one that says that the service failed. */
const isUnsettled = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ServiceError && error.status >= 500)
