import { kindOf } from '../../../contract/kinds/kinds.ts'
import type { Output } from '../../io/output.ts'
import { styled } from '../../io/text.ts'
import { followersOf, type Variation } from '../../kinds/followers.ts'
import { followText } from '../../kinds/following-lines.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { type Deletion, isWriting, type Plan, type Step } from './plan.ts'
import type { PlanContent } from './saved-plan-schema.ts'
import type { ServiceRecords } from './service-records.ts'

/** Steps with how many vAtoms change with each one's draft, whatever files were compared; without those that are deleted. */
export function withFollowers(
  { steps, deletions }: Pick<Plan, 'steps' | 'deletions'>,
  records: ServiceRecords,
): Promise<Step[]> {
  const variations = variationsAfter(steps, deletions, records)
  return inParallel(steps, async (step) => {
    const { document, record, refusal } = step
    if (record === undefined || refusal) return step
    return { ...step, followers: await followersOf({ ...document, ...record }, () => variations(document.name)) }
  })
}

/** The draft variations of a template, as they are once a plan is carried out. */
function variationsAfter(steps: readonly Step[], deletions: readonly Deletion[], records: ServiceRecords) {
  const own = steps.flatMap(({ document }) => (document.kind === 'variation' ? [document] : []))
  const values = new Map<unknown, Variation['value']>(own.map(({ name, value }) => [name, value]))
  const deleted = new Set<unknown>(deletions.flatMap(({ kind, key }) => (kind === 'variation' ? [key] : [])))
  return async (template: string): Promise<Variation[]> => {
    const remaining = (await records.ofTemplate('variation', template)).filter(({ name }) => !deleted.has(name))
    return remaining.map((stored) => ({
      stored,
      value: values.get(stored.name) ?? kindOf('variation').documentOf(stored),
    }))
  }
}

/** Warns of drafts that more vAtoms follow by now than a saved plan says: what it changes in them. */
export function warnOfFollowers({ steps }: Plan, { documents }: PlanContent, { warn }: Pick<Output, 'warn'>): void {
  for (const [index, { document, followers = 0 }] of steps.entries()) {
    const reviewed = documents[index]?.following_vatoms ?? 0
    if (followers > reviewed)
      warn(styled`${document.kind} ${document.name}: ${followText(followers)} it; the plan says ${reviewed}`)
  }
}

/** Says of each draft that changes how many vAtoms change with it. */
export function noteFollowers({ steps }: Plan, output: Pick<Output, 'note'>): void {
  for (const { document, followers = 0 } of steps.filter(isWriting))
    if (followers > 0) output.note(styled`${document.kind} ${document.name}: ${followText(followers)} it`)
}
