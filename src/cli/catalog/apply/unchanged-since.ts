import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { writesOf } from '../plan/chain-charges.ts'
import { isRefused, type Plan, type Step } from '../plan/compare.ts'
import type { PlanContent } from '../plan/saved-plan.ts'
import { stateOf } from '../plan/service-records.ts'
import { isChanging } from './consent.ts'
import { keyOf, taskId } from './tasks.ts'

/** Whether nothing is left to do: all stands as a plan says, and what it deletes is gone. */
export async function isCarriedOut(plan: Plan, { deletions }: PlanContent, context: Context): Promise<boolean> {
  if (isRefused(plan) || isChanging(plan)) return false
  const state = stateOf((await context.connect()).client)
  // What is published meanwhile is no longer in the plan, and not gone either.
  const variations = deletions.filter(({ kind }) => kind === 'variation')
  const there = await Promise.all(variations.map(({ key }) => state.variation(key)))
  return there.every((record) => record === undefined)
}

/**
 * Fails where the service is no longer as it was when a plan was made, except for what an earlier run of the plan
 * itself began.
 */
export function checkStillHolds(plan: Plan, saved: PlanContent, begun: ReadonlySet<string>): void {
  const planned = new Set(saved.deletions.map(({ kind, key, mark }) => `${kind} ${key} ${mark}`))
  const moved = [
    ...plan.steps.filter((step, index) => hasMoved(step, saved.documents[index]?.mark ?? null, begun)).map(stepName),
    ...plan.deletions.filter(({ kind, key, mark }) => !planned.has(`${kind} ${key} ${mark}`)).map(deletionName),
    ...goneDeletions(plan, saved, begun),
  ]
  const [first] = moved
  if (first !== undefined)
    throw new Failure('moved_on', exit.refused, `The service has moved on since the plan was made: ${first}`, {
      hint: `${again}`,
      issues: moved.slice(1).map((name) => ({ path: '', message: name })),
    })
  if (writesOf(plan).charged.length > saved.charged_writes)
    throw new Failure('moved_on', exit.refused, 'The service has moved on since the plan was made: more is charged', {
      hint: again,
    })
}

const again = 'nothing was sent; plan again: vatom plan PATH --out FILE'

function hasMoved({ document, deed, standing }: Step, mark: string | null, begun: ReadonlySet<string>): boolean {
  if ((standing?.mark ?? null) === mark) return false
  const subject = { kind: document.kind, key: keyOf(document) }
  const isOurs = (['create', 'update', 'publish'] as const).some((what) => begun.has(taskId(what, subject)))
  return !(isOurs && deed === 'unchanged')
}

const stepName = ({ document, standing }: Step) =>
  `${document.kind} ${document.name} ${standing ? 'has changed' : 'is gone'}`

const deletionName = ({ kind, name }: Plan['deletions'][number]) => `${kind} ${name} has changed or is new`

/** What was to be deleted, and is gone without our doing. */
function goneDeletions(plan: Plan, { deletions }: PlanContent, begun: ReadonlySet<string>): string[] {
  const there = new Set(plan.deletions.map(({ kind, key }) => `${kind} ${key}`))
  return deletions
    .filter((one) => !there.has(`${one.kind} ${one.key}`) && !begun.has(taskId('delete', one)))
    .map(({ kind, name }) => `${kind} ${name} is gone${kind === 'variation' ? ' or published' : ''}`)
}
