import { plural } from '../../../contract/schema/wording.ts'
import type { Output } from '../../io/output.ts'
import { type Line, styled } from '../../io/text.ts'
import { withAll } from '../../kinds/draft-contents.ts'
import { isTemplate, type Plan, type Unlisted } from './plan.ts'

/** Records that are in no file; of faces for the viewers of a listed one, a warning says more. */
const withoutDuplicates = ({ steps, unlisted }: Plan): readonly Unlisted[] => {
  const duplicates = new Set(steps.flatMap(({ record }) => (record?.duplicates ?? []).map(({ key }) => key)))
  return unlisted.filter(({ key }) => !duplicates.has(key))
}

/** Records that stay although they are in no file: whose each is, and what deletes it. */
export function unlistedLines(plan: Plan, { paint }: Pick<Output, 'paint'>): Line[] {
  const found = withoutDuplicates(plan)
  if (found.length === 0) return []
  return [
    styled`${paint.dim(`${plural(found.length, 'record')} of this catalog or its templates ${found.length === 1 ? 'is' : 'are'} in no file:`)}`,
    ...found.map(
      (one) =>
        styled`  ? ${one.kind} ${one.name}${isTemplate(one) ? withAll(one.contents) : ''}: ${remedyFor(one, plan)}`,
    ),
  ]
}

/** Whose a record is, and what deletes it. */
function remedyFor(
  { kind, key, catalog, prunedBy, isFinal, isPublished, others, alsoIn, refusal }: Unlisted,
  { isPartial }: Plan,
): string {
  if (isPublished) return 'published, which is final'
  const elsewhere = alsoIn === undefined ? '' : `in ${alsoIn}, a catalog of the same name`
  if (isFinal) {
    const remedy = `vatom ${kind} delete '${key}' deletes it${others === undefined ? '' : `, and what is ${others}`}`
    return [elsewhere, remedy].filter(Boolean).join('; ')
  }
  if (elsewhere) return elsewhere
  if (refusal) return 'a child_policy of the catalog names it'
  if (prunedBy === undefined) return `of the catalog ${catalog}`
  const owner = catalog === undefined ? 'of no known catalog; ' : ''
  return `${owner}${prunedBy}${isPartial ? ' of the whole catalog' : ''} deletes it`
}
