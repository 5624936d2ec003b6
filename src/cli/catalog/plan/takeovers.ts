import { groupBy } from '../../../contract/schema/group-by.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { type Line, styled } from '../../io/text.ts'
import { labelOf } from '../catalog-names.ts'
import { type Ownership, ownerOf, ownKey } from '../owners.ts'
import type { Plan, Step } from './plan.ts'

/** The named catalog that owns the record of a step until now, if the document is of another catalog. */
export function takenFrom(
  { document: { kind, value, file }, record }: Pick<Step, 'document' | 'record'>,
  { catalogs, owners }: Ownership,
): string | undefined {
  const catalog = catalogs[file]
  if (record === undefined || catalog === undefined) return undefined
  const owner = ownerOf({ kind, key: record.key, ownKey: ownKey(kind, value) }, owners)
  return owner === undefined || owner === catalog || labelOf(owner) === null ? undefined : owner
}

/** The steps by which records change their catalog. */
const takeovers = ({ steps }: Plan): readonly Step[] => steps.filter((step) => step.takenFrom !== undefined)

export const takesOver = (plan: Plan): boolean => takeovers(plan).length > 0

/** Names the records that change their catalog. */
export function takeoverLines(plan: Plan): Line[] {
  const to = ({ document }: Step) => plan.catalogs[document.file] ?? ''
  const groups = groupBy(takeovers(plan), (step) => JSON.stringify([step.takenFrom, to(step)]))
  return [...groups.values()].flatMap((steps) => {
    const [first] = steps
    if (first === undefined) return []
    const [belong, them] = steps.length === 1 ? ['belongs', 'it'] : ['belong', 'them']
    return [
      styled`${plural(steps.length, 'record')} of the catalog ${first.takenFrom ?? ''} then ${belong} to ${to(first)}, whose --prune can delete ${them}:`,
      ...steps.map(({ document }) => styled`  > ${document.kind} ${document.name} (${document.file})`),
    ]
  })
}

/** `Take over 2 records of the catalog shop?` */
export function takeoverQuestion(plan: Plan): string {
  const steps = takeovers(plan)
  const from = [...new Set(steps.flatMap((step) => step.takenFrom ?? []))]
  return `Take over ${plural(steps.length, 'record')} of the ${from.length === 1 ? 'catalog' : 'catalogs'} ${from.join(', ')}?`
}
