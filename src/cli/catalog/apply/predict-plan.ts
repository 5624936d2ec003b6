import type { Context } from '../../context.ts'
import { isChanging, isRefused, type Plan } from '../plan/plan.ts'
import { outcomesOf, type Recording } from './carry-out.ts'
import { outcomeRows } from './outcome-rows.ts'

const unrecorded: Recording = { begin: async () => {}, settle: () => {} }

/**
 * A plan with the documents that the service would refuse, found by a dry run of the whole plan. Throws if the service
 * would refuse a deletion.
 */
export async function predictedPlan(plan: Plan, context: Context): Promise<Plan> {
  if (isRefused(plan) || !isChanging(plan)) return plan
  const rows = outcomeRows(plan, await outcomesOf(plan, unrecorded, context))
  const failures = rows.map(({ failure, status }) => (status === 'not_sent' ? undefined : failure))
  const beyond = failures.slice(plan.steps.length).find((failure) => failure !== undefined)
  if (beyond) throw beyond
  return {
    ...plan,
    steps: plan.steps.map((step, index) => {
      const refusal = failures[index]
      return refusal ? { ...step, decision: 'refuse', refusal } : step
    }),
  }
}
