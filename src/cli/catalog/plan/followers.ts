import { at } from '../../../contract/schema/path.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Output } from '../../io/output.ts'
import { styled } from '../../io/text.ts'
import { isTemplate, type Plan, type Step } from './plan.ts'
import type { PlanContent } from './saved-plan-schema.ts'

/** Steps with how many vAtoms follow each one's draft, as far as the records of the plan say how many there are. */
export const withFollowers = (steps: readonly Step[]): Step[] =>
  steps.map((step) => ({ ...step, followers: followersOf(step, steps) }))

function followersOf({ document, record }: Step, steps: readonly Step[]): number {
  if (!['vatom', 'eth', 'eos'].some((section) => section in (record?.changes.body ?? {}))) return 0
  const followed = steps.filter((one) => one.document === document || isOf(document, one))
  return followed.reduce((sum, one) => sum + emittedFrom(one), 0)
}

/** Warns of drafts that more vAtoms follow by now than a saved plan says: what it changes in them. */
export function warnOfFollowers({ steps }: Plan, { documents }: PlanContent, { warn }: Pick<Output, 'warn'>): void {
  for (const [index, { document, followers = 0 }] of steps.entries()) {
    const reviewed = documents[index]?.following_vatoms ?? 0
    if (followers > reviewed)
      warn(styled`${document.kind} ${document.name}: ${followText(followers)} it; the plan says ${reviewed}`)
  }
}

/** `1 vAtom follows`, `2 vAtoms follow`: a draft. */
export const followText = (count: number): string => `${plural(count, 'vAtom')} ${count === 1 ? 'follows' : 'follow'}`

const isOf = (template: LoadedDocument, { document: { kind, value } }: Step): boolean =>
  isTemplate(template) && kind === 'variation' && value.template === template.name

const emittedFrom = ({ record }: Step): number => Number(at(record?.stored, 'properties', 'num_vatoms') ?? 0)
