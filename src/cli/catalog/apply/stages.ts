import { templateOf } from '../../../contract/rules/catalog.ts'
import type { Kind } from '../../../contract/values.ts'
import { chainWrites, isCharged } from '../../../contract/vatom/chain.ts'
import type { Connection } from '../../service/connect.ts'
import type { Plan, Step } from '../plan/compare.ts'
import { deleteTask, publishTask, type Task, taskId, writeId, writeTask } from './tasks.ts'

/** Writes group by group: a group needs only what stands in those before it. */
type Groups = readonly (readonly Task[])[]

/** Writes that are begun only where all before them went well. */
export interface Stage {
  readonly groups: Groups
  /** Whether something of it cannot be taken back. */
  readonly isFinal: boolean
}

/** A plan's writes in stages: what can be taken back; what is charged; deletions; publishing. Empty ones are left out. */
export function stagesOf({ steps, deletions }: Plan, connection: Connection): readonly Stage[] {
  const writing = steps.filter(isWriting)
  const late = lateSteps(writing)
  const tasksOf = (some: readonly Step[]) => some.map((step) => writeTask(step, needsOf(step, writing), connection))
  const written = (isLate: boolean): Groups =>
    order.map((belongs) => tasksOf(writing.filter((step) => late.has(step) === isLate && belongs(step))))
  const published = (kind: Kind) => steps.filter(({ document, publishes }) => publishes && document.kind === kind)
  const publishing = (kind: Kind) => published(kind).map((step) => publishTask(step, connection))
  const stages: readonly Stage[] = [
    { isFinal: false, groups: written(false) },
    { isFinal: true, groups: written(true) },
    { isFinal: true, groups: [deletions.map((deletion) => deleteTask(deletion, connection))] },
    { isFinal: true, groups: [publishing('template'), publishing('variation')] },
  ]
  return stages.filter(({ groups }) => groups.some(({ length }) => length > 0))
}

const ofKind =
  (...kinds: readonly Kind[]) =>
  ({ document, leads }: Step) =>
    !leads && kinds.includes(document.kind)

/** What stands before what: variations from which their template takes something away let go of it first. */
const order: readonly ((step: Step) => boolean)[] = [
  ({ leads }) => leads,
  ofKind('template'),
  ofKind('variation'),
  ofKind('action', 'face'),
]

/** The writes that must have gone well before that of a step. */
function needsOf({ document, leads }: Step, writing: readonly Step[]): readonly string[] {
  if (leads) return []
  const template = templateOf(document.kind, document.value) ?? ''
  if (document.kind !== 'template')
    return (['create', 'update'] as const).map((deed) => taskId(deed, { kind: 'template', key: template }))
  return writing.filter((one) => one.leads && one.document.value.template === template).map(writeId)
}

/** Whether a step sends its document, or what differs of it. */
export const isWriting = ({ deed }: Step): boolean => deed === 'create' || deed === 'update'

/** Steps that are charged, and those of a template whose own is. Spec 2.3. */
export function lateSteps(steps: readonly Step[]): ReadonlySet<Step> {
  const charged = new Set(steps.filter(isChargedStep))
  const templates = new Set([...charged].flatMap(({ document: { kind, name } }) => (kind === 'template' ? [name] : [])))
  const standing = steps.filter(({ document }) => templates.has(templateOf(document.kind, document.value) ?? ''))
  return new Set([...charged, ...standing])
}

/** Whether a step writes to a chain what is charged. Spec 2.3. */
const isChargedStep = ({ chain }: Step): boolean =>
  chain.some(({ before, after }) => isCharged(after) && chainWrites(before, after).length > 0)
