import { kindOf } from '../../../contract/kinds/kinds.ts'
import { comparable } from '../../../contract/kinds/template.ts'
import { at, isSame } from '../../../contract/schema/path.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { completeEth, type Section, sectionOf, textPrices, typedEth } from '../../../contract/vatom/complete.ts'
import { resolveChain, resolveVatom } from '../../../contract/vatom/overlay.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Output } from '../../io/output.ts'
import { styled } from '../../io/text.ts'
import type { ComparedRecord } from './compare-record.ts'
import { isTemplate, type Plan, type Step } from './plan.ts'
import type { PlanContent } from './saved-plan-schema.ts'

/** Steps with how many vAtoms follow each one's draft, as far as the records of the plan say how many there are. */
export const withFollowers = (steps: readonly Step[]): Step[] =>
  steps.map((step) => ({ ...step, followers: followersOf(step, steps) }))

function followersOf({ document, record }: Step, steps: readonly Step[]): number {
  if (!record || !['vatom', 'eth', 'eos'].some((section) => section in record.changes.body)) return 0
  const followed = steps.filter(
    (one) => one.document === document || (isOf(document, one) && isChangedBy(record, one.document)),
  )
  return followed.reduce((sum, one) => sum + emittedFrom(one), 0)
}

/** Whether a change of a template changes the vAtoms of a variation, which may overwrite all of it. Spec 2.5. */
function isChangedBy({ stored, changes }: ComparedRecord, { value }: LoadedDocument): boolean {
  const before = kindOf('template').documentOf(stored)
  const publisher = String(at(stored, 'properties', 'publisher_fqdn'))
  const designOf = (template: Section) => resolvedOver(template, value, publisher)
  return !isSame(designOf(before), designOf({ ...before, ...changes.body }))
}

/** What vAtoms are made of: the sections of a variation resolved over those of its template. */
const resolvedOver = (template: Section, variation: Section, publisher: string): Section => ({
  vatom: textPrices(resolveVatom(comparable(sectionOf(template.vatom)), sectionOf(variation.vatom))),
  eth: resolveChain(completeEth(sectionOf(template.eth), publisher), typedEth(sectionOf(variation.eth))),
  eos: resolveChain(typedEth(sectionOf(template.eos)), typedEth(sectionOf(variation.eos))),
})

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
