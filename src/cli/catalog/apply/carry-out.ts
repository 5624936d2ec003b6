import type { Warning } from '../../../contract/api/warnings.ts'
import { limits } from '../../../contract/limits.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { Context } from '../../context.ts'
import { type Failure, interrupted } from '../../failure/failure.ts'
import { countProgress, type Progress } from '../../io/progress.ts'
import { styled } from '../../io/text.ts'
import { withAll } from '../../kinds/draft-contents.ts'
import { noRecord } from '../../kinds/record-state.ts'
import type { Row } from '../../kinds/results.ts'
import { notSent, runJob, stopsAll } from '../../kinds/send.ts'
import type { Show } from '../../kinds/show-at-once.ts'
import type { Connection } from '../../service/connect.ts'
import { atOnce, inParallel } from '../../service/in-parallel.ts'
import type { Plan } from '../plan/plan.ts'
import { recordsOf } from '../plan/service-records.ts'
import type { Ledger } from './apply-ledger.ts'
import { isSettled, sendOnce } from './send-once.ts'
import { type AsProblems, lastingProblems } from './service-warnings.ts'
import { type Stage, stagesOf, tasksIn } from './stages.ts'
import { changedSince, type Task } from './tasks.ts'

/** Where the start of a task and its known outcome are recorded. */
export type Recording = Pick<Ledger, 'begin' | 'settle'>

/** The state of a run. */
interface Run {
  readonly connection: Connection
  readonly context: Context
  readonly ledger: Recording
  readonly progress: Progress
  /** The outcomes of the tasks so far, by their ids. */
  readonly outcomes: Map<string, Row>
  readonly asProblems: AsProblems
  readonly isDry: boolean
  readonly show: Show
  /** Why nothing more is sent. */
  stopped?: Failure | undefined
}

interface CarryOutOptions extends Pick<Run, 'connection' | 'ledger'> {
  /** What the progress calls it. */
  readonly what: 'apply' | 'check'
  /** Shows each outcome as soon as it is there. */
  readonly show?: Show
}

/** Carries out a plan, stage by stage. Returns the outcome of each task with what the service warns of, by its id. */
export async function outcomesOf(
  plan: Plan,
  { connection, ledger, what, show = (row) => row }: CarryOutOptions,
  context: Context,
): Promise<ReadonlyMap<string, Row>> {
  const stages = stagesOf(plan, connection)
  const progress = await countProgress(context.output, context.host, what, stages.flatMap(tasksIn).length)
  const isDry = what === 'check'
  const run: Run = {
    connection,
    context,
    ledger,
    progress,
    outcomes: new Map(),
    asProblems: lastingProblems(plan),
    isDry,
    show,
  }
  try {
    for (const stage of stages) await carryOutStage(stage, run)
  } finally {
    progress.stop()
  }
  return run.outcomes
}

const finalWork = {
  charge: 'writing records with charged chain writes, and what depends on them',
  delete: 'deleting',
  publish: 'publishing',
} as const

/** No stage is started after a failure, because what cannot be undone comes last. */
async function carryOutStage(stage: Stage, run: Run): Promise<void> {
  const { context, outcomes, isDry } = run
  run.stopped ??= [...outcomes.values()].find(({ failure }) => failure)?.failure
  if (stage.does !== 'write' && !run.stopped && !isDry)
    context.output.note(
      styled`${finalWork[stage.does]}, which cannot be undone: ${plural(tasksIn(stage).length, 'record')}${withAll(stage.contents ?? [])}`,
    )
  for (const group of stage.groups)
    await inParallel(
      group,
      async (task) => {
        outcomes.set(task.id, run.show(await outcomeOf(task, run), task.line))
      },
      isDry ? limits.dryRunListed : atOnce,
    )
}

/** The outcome of a task. It is not sent if a task that it needs has failed, or if the service does not answer. */
async function outcomeOf(task: Task, run: Run): Promise<Row> {
  const { connection, context, ledger, progress, asProblems, isDry } = run
  if (context.host.signal.aborted) run.stopped ??= interrupted()
  const reason = run.stopped ?? task.needs.flatMap((id) => run.outcomes.get(id)?.failure ?? [])[0]
  if (reason) return notSent(task.subject, reason)
  progress.step(`${isDry ? 'checking ' : ''}${task.subject.kind} ${task.subject.name}`)
  let isBegun = false
  let isSent = false
  const send = async () => {
    const records = recordsOf(connection.client)
    const change = isDry ? undefined : await task.change?.(records)
    if (change !== undefined && !(await task.isDone(records))) throw changedSince(task.subject, change)
    const before = isDry ? noRecord : await task.before(records)
    await ledger.begin(task.id)
    isBegun = true
    // The disk takes its time, in which the run may have been interrupted.
    context.host.signal.throwIfAborted()
    isSent = true
    // What is predicted after a lost answer is not known either.
    return sendOnce(task, { before, most: isDry ? 1 : limits.writeAttempts }, connection, context)
  }
  const warnings: Warning[] = []
  const ran = await context.warnings.collect(warnings, () => runJob({ subject: task.subject, run: send }, context.host))
  const row = !isSent && ran.failure?.code === 'interrupted' ? notSent(task.subject, ran.failure) : ran
  const isUnsent = isBegun && !isSent
  if (isUnsent || row.failure === undefined || isSettled(row.failure))
    ledger.settle(task.id, row.failure === undefined ? 'done' : 'not done')
  if (row.failure && stopsAll(row.failure)) run.stopped = row.failure
  return { ...row, problems: [...row.problems, ...asProblems(task.subject, warnings)] }
}
