import { templateOf } from '../../contract/catalog.ts'
import { chainWrites, isCharged } from '../../contract/chain.ts'
import type { Kind } from '../../contract/values.ts'
import type { Connection } from '../service/connect.ts'
import type { Plan, Step } from './plan.ts'
import { deleteTask, publishTask, type Task, writeTask } from './tasks.ts'

/** Writes group by group: a group needs only what stands in those before it. */
type Groups = readonly (readonly Task[])[]

/** A plan's writes: those that can be taken back, then those that cannot. */
export interface Phases {
  readonly reversible: Groups
  readonly final: Groups
}

const order: readonly (readonly Kind[])[] = [['template'], ['variation'], ['action', 'face']]

/** Puts a plan's writes into an order in which the service takes them, what is final last. */
export function phasesOf({ steps, deletions }: Plan, connection: Connection): Phases {
  const writing = steps.filter(isWriting)
  const late = lateSteps(writing)
  const inOrder = (some: readonly Step[]) =>
    order.map((kinds) =>
      some.filter(({ document }) => kinds.includes(document.kind)).map((step) => writeTask(step, connection)),
    )
  const publishing = (kind: Kind) =>
    steps
      .filter(({ document, publishes }) => publishes && document.kind === kind)
      .map((step) => publishTask(step, connection))
  return {
    reversible: withoutEmpty(inOrder(writing.filter((step) => !late.has(step)))),
    final: withoutEmpty([
      ...inOrder(writing.filter((step) => late.has(step))),
      deletions.map((deletion) => deleteTask(deletion, connection)),
      publishing('template'),
      publishing('variation'),
    ]),
  }
}

const withoutEmpty = (groups: Groups): Groups => groups.filter(({ length }) => length > 0)

/** Whether a step sends its document, or what differs of it. */
export const isWriting = ({ deed }: Step): boolean => deed === 'create' || deed === 'update'

/** Steps that are charged, and what stands on a template that one of them creates. Spec 2.3. */
export function lateSteps(steps: readonly Step[]): ReadonlySet<Step> {
  const charged = new Set(steps.filter(isChargedStep))
  const made = [...charged].filter(({ document, deed }) => document.kind === 'template' && deed === 'create')
  const templates = new Set(made.map(({ document }) => document.name))
  const standing = steps.filter(({ document }) => templates.has(templateOf(document.kind, document.value) ?? ''))
  return new Set([...charged, ...standing])
}

/** Whether a step writes to a chain what is charged. Spec 2.3. */
const isChargedStep = ({ chain }: Step): boolean =>
  chain.some(({ before, after }) => isCharged(after) && chainWrites(before, after).length > 0)
