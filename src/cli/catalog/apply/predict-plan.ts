import type { End } from '../../../client/dry-run-queue.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure/failure.ts'
import { isChanging, isRefused, type Plan } from '../plan/plan.ts'
import { outcomesOf, type Recording } from './carry-out.ts'
import { outcomeRows } from './outcome-rows.ts'
import { printNew, withWarnings } from './service-warnings.ts'

const unrecorded: Recording = { begin: async () => {}, settle: () => {} }

/**
 * A plan with what the service would refuse of it, found by a dry run of the whole plan: what no comparison of records
 * shows, such as a balance that does not cover its charges, and with what it warns of, which is printed. If the
 * service offers no dry runs, or predicts no more, it says why the plan or its rest is unchecked.
 */
export async function predictedPlan(plan: Plan, context: Context): Promise<Plan> {
  if (isRefused(plan) || !isChanging(plan)) return plan
  const found = await context.connect()
  const { endText, whyNoDryRun, withoutWrites } = await import('../../dry-run/connection.ts')
  if (!(await found.dryRun(() => {}))) return { ...plan, unchecked: whyNoDryRun(found) }
  let end: Pick<Plan, 'unchecked' | 'checked'> = {}
  const atEnd = (checked: number, why: End) => {
    end = { checked, unchecked: endText(found.place, plural(checked, 'change'), why) }
  }
  const connection = context.dryRun ? found : withoutWrites(found, { note: () => {} }, atEnd)
  const rows = outcomeRows(plan, await outcomesOf(plan, { connection, ledger: unrecorded, what: 'check' }, context))
  const failed = rows.find(({ status }) => status === 'failed')?.failure
  context.host.signal.throwIfAborted()
  if (failed) throw unchecked(failed)
  const refusals = rows.map(({ failure, status }) => (status === 'refused' && failure ? unlisted(failure) : undefined))
  const problems = rows.map((row) => row.problems)
  const { steps, deletions, ...rest } = withWarnings(plan, problems)
  await printNew(problems.flat(), plan, context)
  return {
    ...rest,
    ...end,
    steps: steps.map((step, index) => {
      const refusal = refusals[index]
      return refusal ? { ...step, decision: 'refuse', publishes: false, refusal } : step
    }),
    deletions: deletions.map((one, index) => {
      const refusal = refusals[steps.length + index]
      return refusal ? { ...one, refusal } : one
    }),
  }
}

/** A refusal; what the service has and did not list was created meanwhile, or something on the way cuts its answers. */
const unlisted = (failure: Failure) =>
  failure.code === 'name_taken'
    ? new Failure(failure.code, failure.exitCode, failure.message, {
        ...failure,
        hint: 'it is on the service, which did not list it: plan again; if that does not help, see what it answers with --debug, and what is between',
      })
    : failure

/** Why the whole plan is not known to succeed: the same would stop the run that carries it out. */
const unchecked = (failure: Failure) =>
  new Failure(failure.code, failure.exitCode, `The service could not check the plan: ${failure.message}`, {
    ...failure,
    hint: failure.next,
    cause: failure,
  })
