import type { Kind } from '../../../contract/kinds/kind.ts'
import { creationOrder, kindOf } from '../../../contract/kinds/kinds.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { at } from '../../../contract/schema/path.ts'
import type { Connection } from '../../service/connect.ts'
import { chargedSteps } from '../plan/chain-charges.ts'
import { deletedVatoms } from '../plan/deleted-vatoms.ts'
import { isTemplate, isWriting, type Plan, type Step } from '../plan/plan.ts'
import { deleteTask, publishTask, type Task, taskId, writeId, writeTask } from './tasks.ts'

/** Tasks that start only if all earlier stages succeeded. */
export interface Stage {
  /** What its tasks do; only what `write` does can be undone. */
  readonly does: 'write' | 'charge' | 'delete' | 'publish'
  /** A group needs only existing records, and the groups before it. */
  readonly groups: readonly (readonly Task[])[]
  /** What else is deleted with its records. */
  readonly contents?: readonly string[]
}

/** A plan's tasks: what can be undone, charged writes, deletions, publishing. Empty stages are left out. */
export function stagesOf({ steps, deletions }: Plan, connection: Connection): readonly Stage[] {
  const writing = steps.filter(isWriting)
  const charged = chargedSteps(writing)
  const writesOf = (isCharged: boolean) =>
    writeOrder
      .flatMap((belongs) => inTurn(writing.filter((step) => charged.has(step) === isCharged && belongs(step))))
      .map((steps) => steps.map((step) => writeTask(step, needsOf(step, writing), connection)))
  const publishing = ({ name }: Kind) =>
    steps
      .filter(({ document, publishes }) => publishes && document.kind === name)
      .map((step) => publishTask(step, connection))
  const stages: readonly Stage[] = [
    { does: 'write', groups: writesOf(false) },
    { does: 'charge', groups: writesOf(true) },
    {
      does: 'delete',
      groups: [deletions.map((deletion) => deleteTask(deletion, connection))],
      contents: deletedVatoms(deletions),
    },
    { does: 'publish', groups: kindsOfDrafts.map(publishing) },
  ]
  return stages.filter((stage) => tasksIn(stage).length > 0)
}

export const tasksIn = ({ groups }: Stage): readonly Task[] => groups.flat()

const kindsOfDrafts = creationOrder.filter(({ hasDrafts }) => hasDrafts)
const otherKinds = creationOrder.filter(({ hasDrafts }) => !hasDrafts)

const ofKinds =
  (kinds: readonly Kind[]) =>
  ({ document, beforeTemplate }: Step) =>
    !beforeTemplate && kinds.includes(kindOf(document.kind))

/** Groups of writes, in order: drafts kind by kind, then all other records at once. */
const writeOrder: readonly ((step: Step) => boolean)[] = [
  ({ beforeTemplate }) => beforeTemplate,
  ...kindsOfDrafts.map((kind) => ofKinds([kind])),
  ofKinds(otherKinds),
]

/**
 * Groups of steps in which new faces of a template for the same view mode follow one another: of equally good ones,
 * apps show the one that was registered first. Spec 4.5.
 */
function inTurn(steps: readonly Step[]): Step[][] {
  const [faces, others] = [steps.filter(isNewFace), steps.filter((step) => !isNewFace(step))]
  const rivals = groupBy(faces, ({ document: { value } }) =>
    JSON.stringify([value.template, at(value, 'constraints', 'view_mode')]),
  )
  const turns = [...rivals.values()].flatMap((some) => some.map((step, turn) => ({ step, turn })))
  const [first = [], ...rest] = [...groupBy(turns, ({ turn }) => turn).values()].map((some) =>
    some.map(({ step }) => step),
  )
  return [[...others, ...first], ...rest]
}

const isNewFace = ({ document, record }: Step): boolean => document.kind === 'face' && record === undefined

/** Ids of the writes that must succeed before that of a step. */
function needsOf({ document, beforeTemplate }: Step, writing: readonly Step[]): readonly string[] {
  if (beforeTemplate) return []
  const template = kindOf(document.kind).templateOf(document.value) ?? ''
  if (!isTemplate(document))
    return (['create', 'update'] as const).map((verb) => taskId(verb, { kind: 'template', key: template }))
  return writing.filter((one) => one.beforeTemplate && one.document.value.template === template).map(writeId)
}
