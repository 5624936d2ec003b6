import { at } from '../../../contract/schema/path.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { isTemplate, type Step } from './plan.ts'

/** Steps with how many vAtoms follow each one's draft, as far as the records of the plan say how many there are. */
export const withFollowers = (steps: readonly Step[]): Step[] =>
  steps.map((step) => ({ ...step, followers: followersOf(step, steps) }))

function followersOf({ document, record }: Step, steps: readonly Step[]): number {
  if (!['vatom', 'eth', 'eos'].some((section) => section in (record?.changes.body ?? {}))) return 0
  const followed = steps.filter((one) => one.document === document || isOf(document, one))
  return followed.reduce((sum, one) => sum + emittedFrom(one), 0)
}

const isOf = (template: LoadedDocument, { document: { kind, value } }: Step): boolean =>
  isTemplate(template) && kind === 'variation' && value.template === template.name

const emittedFrom = ({ record }: Step): number => Number(at(record?.stored, 'properties', 'num_vatoms') ?? 0)
