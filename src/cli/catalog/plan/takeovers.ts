import { groupBy } from '../../../contract/schema/group-by.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { usage } from '../../failure/failure.ts'
import { type Line, shellWord, styled } from '../../io/text.ts'
import { isNeverPruned } from '../../kinds/requests.ts'
import { labelOf, otherNamed } from '../catalog-names.ts'
import { lostNameHint } from '../lost-name.ts'
import { creationOf, labelKey, labelledWith, type Ownership, ownerOf, ownKey } from '../owners.ts'
import { isChanging, isPublishing, type Plan, type Step, stepsText, withoutPublishing } from './plan.ts'
import { commandOf } from './plan-command.ts'
import type { ReadPlan } from './saved-plan.ts'

/** The named catalog that owns the record of a step until now, if the document is of another catalog. */
function takenFrom(
  { document: { kind, value, file }, record }: Pick<Step, 'document' | 'record'>,
  { catalogs, owners }: Pick<Ownership, 'catalogs' | 'owners'>,
): string | undefined {
  const catalog = catalogs[file]
  if (record === undefined || catalog === undefined) return undefined
  const { key, stored } = record
  const owned = { kind, key, ownKey: ownKey(kind, value), creation: creationOf(kind, stored) }
  return otherNamed(ownerOf(owned, owners), [catalog])
}

/** The steps by which records change their catalog. */
const takeovers = (steps: readonly Step[]): readonly Step[] => steps.filter((step) => step.takenFrom !== undefined)

/** How many records change their catalog. */
export const takeoverCount = ({ steps }: Pick<Plan, 'steps'>): number => takeovers(steps).length

export const takesOver = (plan: Plan): boolean => takeoverCount(plan) > 0

/** Whether the service stores labels, and has none for the record of a step, which a catalog with a name owns. */
function isUnlabelled(
  { document: { kind, file }, record }: Pick<Step, 'document' | 'record'>,
  { catalogs, labels }: Pick<Ownership, 'catalogs' | 'labels'>,
): boolean {
  if (labels === undefined || record === undefined || !labelOf(catalogs[file] ?? '')) return false
  return labels[labelKey({ kind, key: record.key })] === undefined
}

/** The catalogs that the label of a step's record may name while the plan is carried out: that of its file, and the one it names now. */
function expectedCatalogs(
  { document: { kind, file }, record }: Pick<Step, 'document' | 'record'>,
  { catalogs, labels }: Pick<Ownership, 'catalogs' | 'labels'>,
): Step['expectedCatalogs'] {
  if (labels === undefined || record === undefined) return undefined
  const own = labelOf(catalogs[file] ?? '')
  return [...new Set([...(own ? [own] : []), ...labelledWith({ kind, key: record.key }, labels)])]
}

/** A plan with what it does with the catalogs of records, by who owns them now. */
export const withOwners = (plan: Plan, now: Pick<Ownership, 'owners' | 'labels' | 'revisions'>): Plan => {
  const ownership = { ...now, catalogs: plan.catalogs }
  return { ...plan, steps: plan.steps.map((step) => withOwner(step, ownership)) }
}

/** A step with what it does with the catalog of its record. */
export const withOwner = (
  step: Step,
  ownership: Pick<Ownership, 'catalogs' | 'owners' | 'labels' | 'revisions'>,
): Step => ({
  ...step,
  takenFrom: takenFrom(step, ownership),
  isNeverPruned: isNeverPruned(step.document.kind, step.record?.stored),
  isUnlabelled: isUnlabelled(step, ownership),
  expectedCatalogs: expectedCatalogs(step, ownership),
  labelRevision: step.record && ownership.revisions?.[labelKey({ kind: step.document.kind, key: step.record.key })],
})

/** The steps after which the service knows the catalog of a record. */
const labelling = ({ steps }: Pick<Plan, 'steps'>): readonly Step[] => steps.filter((step) => step.isUnlabelled)

/** Of how many records the service does not know the catalog. */
export const labelCount = (plan: Pick<Plan, 'steps'>): number => labelling(plan).length

/** Whether carrying a plan out, as far as its options go, changes a record, or the catalog of one. */
export const hasWork = (plan: Plan): boolean => hasOwnWork(plan) || takesOver(plan)

/** The same without what it only takes over from other catalogs. */
export const hasOwnWork = (plan: Plan): boolean =>
  isChanging(plan.needsPublish ? withoutPublishing(plan, 'not allowed') : plan) || labelCount(plan) > 0

/** Names the records of which the service does not know the catalog. */
export function labelLines(plan: Plan): Line[] {
  const groups = groupBy(labelling(plan), ({ document }) => plan.catalogs[document.file] ?? '')
  return [...groups].map(([catalog, steps]) => {
    const [is, them] = steps.length === 1 ? ['is', 'it'] : ['are', 'them']
    return styled`The service does not know yet that ${stepsText(steps)} ${is} of the catalog ${catalog}; apply records ${them} there`
  })
}

/** Names the records that change their catalog. */
export function takeoverLines(plan: Plan): Line[] {
  const to = ({ document }: Step) => plan.catalogs[document.file] ?? ''
  const isPrunable = (step: Step) => !step.isNeverPruned && !isPublishing(plan, step)
  const groups = groupBy(takeovers(plan.steps), (step) => JSON.stringify([step.takenFrom, to(step), isPrunable(step)]))
  return [...groups.values()].flatMap((steps) => {
    const [first] = steps
    if (first === undefined) return []
    const [belong, them] = steps.length === 1 ? ['belongs', 'it'] : ['belong', 'them']
    return [
      styled`After apply, ${plural(steps.length, 'record')} of the catalog ${first.takenFrom ?? ''} ${belong} to ${to(first)}${isPrunable(first) ? `, whose --prune can delete ${them}` : ''}:`,
      ...steps.map(({ document }) => styled`  > ${document.kind} ${document.name} (${document.file})`),
      ...lostNameLines(to(first), first.takenFrom ?? ''),
    ]
  })
}

/** Says of a folder that takes records over, and has no name, that it may have lost the name of the catalog that owns them. */
const lostNameLines = (to: string, owner: string): Line[] =>
  labelOf(to) === null ? [styled`  ${to} has no name: ${lostNameHint(to, owner)}`] : []

/** `2 records of the catalog shop` */
export function takeoverText(steps: readonly Step[]): string {
  const from = takeovers(steps).flatMap((step) => step.takenFrom ?? [])
  const catalogs = [...new Set(from)]
  return `${plural(from.length, 'record')} of the ${catalogs.length === 1 ? 'catalog' : 'catalogs'} ${catalogs.join(', ')}`
}

const takeOverFlag = '--take-over'

/** The command that makes a saved plan again, with what it agreed to and further flags. */
export function planAgain({ content, file, madeIn }: ReadPlan, ...further: readonly string[]): string {
  const flags = new Set([...(content.take_over ? [takeOverFlag] : []), ...further])
  const again = [commandOf(content), ...flags, '--out', shellWord(madeIn?.file ?? file)].join(' ')
  return madeIn === undefined ? again : `cd ${shellWord(madeIn.folder)} && ${again}`
}

/** Throws a usage error for records that a saved plan takes from other catalogs without agreeing to it. */
export function checkTakeovers({ steps }: Plan, saved: ReadPlan): void {
  const { content } = saved
  const agreed = (index: number) => (content.take_over ? content.documents[index]?.taken_from : undefined)
  const others = steps.filter(({ takenFrom }, index) => takenFrom !== agreed(index))
  if (takeovers(others).length > 0)
    throw usage(
      `The plan does not agree to take over ${takeoverText(others)}`,
      `nothing was sent; to agree, plan again: ${planAgain(saved, takeOverFlag)}`,
    )
}
