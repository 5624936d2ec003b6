import { templateOf } from '../../../contract/rules/catalog.ts'
import type { Kind } from '../../../contract/values.ts'
import type { Connection } from '../../service/connect.ts'
import { chargedSteps } from '../plan/chain-charges.ts'
import { isWriting, type Plan, type Step } from '../plan/plan.ts'
import { deleteTask, publishTask, type Task, taskId, writeId, writeTask } from './tasks.ts'

/** Tasks that start only where all of the stages before succeeded. */
export interface Stage {
  /** What its tasks do; only what `write` does can be undone. */
  readonly does: 'write' | 'charge' | 'delete' | 'publish'
  /** A group needs only what exists, and the groups before it. */
  readonly groups: readonly (readonly Task[])[]
}

/** A plan's tasks: what can be undone, charged writes, deletions, publishing. Empty stages are left out. */
export function stagesOf({ steps, deletions }: Plan, connection: Connection): readonly Stage[] {
  const writing = steps.filter(isWriting)
  const charged = chargedSteps(writing)
  const writesOf = (isCharged: boolean) =>
    writeOrder.map((belongs) =>
      writing
        .filter((step) => charged.has(step) === isCharged && belongs(step))
        .map((step) => writeTask(step, needsOf(step, writing), connection)),
    )
  const publishing = (kind: Kind) =>
    steps
      .filter(({ document, publishes }) => publishes && document.kind === kind)
      .map((step) => publishTask(step, connection))
  const stages: readonly Stage[] = [
    { does: 'write', groups: writesOf(false) },
    { does: 'charge', groups: writesOf(true) },
    { does: 'delete', groups: [deletions.map((deletion) => deleteTask(deletion, connection))] },
    { does: 'publish', groups: [publishing('template'), publishing('variation')] },
  ]
  return stages.filter((stage) => tasksIn(stage).length > 0)
}

export const tasksIn = ({ groups }: Stage): readonly Task[] => groups.flat()

const ofKind =
  (...kinds: readonly Kind[]) =>
  ({ document, beforeTemplate }: Step) =>
    !beforeTemplate && kinds.includes(document.kind)

/** Groups of writes, in order. */
const writeOrder: readonly ((step: Step) => boolean)[] = [
  ({ beforeTemplate }) => beforeTemplate,
  ofKind('template'),
  ofKind('variation'),
  ofKind('action', 'face'),
]

/** Ids of the writes that must succeed before that of a step. */
function needsOf({ document, beforeTemplate }: Step, writing: readonly Step[]): readonly string[] {
  if (beforeTemplate) return []
  const template = templateOf(document.kind, document.value) ?? ''
  if (document.kind !== 'template')
    return (['create', 'update'] as const).map((verb) => taskId(verb, { kind: 'template', key: template }))
  return writing.filter((one) => one.beforeTemplate && one.document.value.template === template).map(writeId)
}
