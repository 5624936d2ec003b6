import { exit, Failure } from '../../failure/failure.ts'
import type { Row } from '../../kinds/results.ts'
import { notSent, subjectOf } from '../../kinds/send.ts'
import { deletionSubject, keyOf, taskId } from '../apply/tasks.ts'
import type { Plan, Step } from './compare.ts'

/** A row a document and a deletion, by what became of the tasks. */
export function rowsOf(plan: Plan, outcomes: ReadonlyMap<string, Row>): Row[] {
  return [
    ...plan.steps.map((step) => outcomeOf(step, outcomes) ?? unchangedRow(step)),
    ...plan.deletions.flatMap((deletion) => outcomes.get(taskId('delete', deletion)) ?? []),
  ]
}

/** The last of a document's tasks that was tried; publishing comes after writing. */
function outcomeOf({ document }: Step, outcomes: ReadonlyMap<string, Row>): Row | undefined {
  const subject = { kind: document.kind, key: keyOf(document) }
  const found = (['publish', 'update', 'create'] as const).map((deed) => outcomes.get(taskId(deed, subject)))
  const [published, ...writes] = found
  const written = writes.find((row) => row !== undefined)
  if (published === undefined || written?.failure) return written
  return written && published.failure ? unpublished(written, published) : published
}

/** A record that was written, and not published after all. */
const unpublished = (written: Row, { status, message, failure, problems }: Row): Row =>
  status === 'not_sent'
    ? { ...written, message: `${written.message}; not published: ${failure?.message}` }
    : { ...written, status, message: `${written.message}; not published: ${message}`, failure, problems }

const unchangedRow = ({ document }: Step): Row => ({
  ...subjectOf(document),
  status: 'unchanged',
  message: `Unchanged ${document.kind} ${document.name}`,
  printed: null,
})

/** Rows of a plan that is not carried out, because some of its documents are refused. */
export function refusedRows({ steps, deletions }: Plan): Row[] {
  const refused = steps.filter(({ deed }) => deed === 'refuse').length
  const why = new Failure('refused', exit.refused, `${refused} of ${steps.length} documents are refused`)
  return [
    ...steps.map((step) => refusedRow(step) ?? notSent(subjectOf(step.document), why)),
    ...deletions.map((deletion) => notSent(deletionSubject(deletion), why)),
  ]
}

/** The row of a step that is refused. */
export const refusedRow = ({ document, refusal }: Step): Row | undefined =>
  refusal && { ...subjectOf(document), status: 'refused', message: refusal.message, failure: refusal }

/** Rows of a plan that is only shown. */
export const plannedRows = ({ steps, deletions }: Plan): Row[] => [
  ...steps.map((step) => refusedRow(step) ?? { ...subjectOf(step.document), ...prospect(step) }),
  ...deletions.map((deletion): Row => ({ ...deletionSubject(deletion), ...prospects.delete })),
]

/** What apply would make of a record. */
export const prospects = {
  create: { status: 'unchanged', would: 'created', message: 'will be created' },
  update: { status: 'unchanged', would: 'updated', message: 'will be changed' },
  publish: { status: 'unchanged', would: 'published', message: 'will be published' },
  delete: { status: 'unchanged', would: 'deleted', message: 'will be deleted' },
  unchanged: { status: 'unchanged', message: 'unchanged' },
} as const

/** What apply would make of a step. */
export const prospect = ({ deed, publishes }: Step): Pick<Row, 'status' | 'message' | 'would'> =>
  publishes ? prospects.publish : prospects[deed === 'refuse' ? 'unchanged' : deed]

/** What became of documents, counted: `2 created, 1 updated, 12 unchanged`. */
export function summaryOf(rows: readonly Row[]): string {
  const counts = new Map<string, number>()
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} ${status.replace('_', ' ')}`).join(', ')
}
