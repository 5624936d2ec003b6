import type { Failure } from '../../failure/failure.ts'
import type { Row } from '../../kinds/results.ts'
import { notSent, subjectOf } from '../../kinds/send.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { deletionSubject, refusedRow } from '../plan/planned-rows.ts'
import { subjectKey, taskId } from './tasks.ts'

/** A row for each document and deletion of a plan, from the outcomes of its tasks. */
export const outcomeRows = ({ steps, deletions }: Plan, outcomes: ReadonlyMap<string, Row>): Row[] => [
  ...steps.map((step) => outcomeOf(step, outcomes) ?? unchangedRow(step)),
  ...deletions.flatMap((deletion) => outcomes.get(taskId('delete', deletion)) ?? []),
]

/** The outcome of the last of a document's tasks; publishing comes after writing. */
function outcomeOf({ document }: Step, outcomes: ReadonlyMap<string, Row>): Row | undefined {
  const of = (verb: 'create' | 'update' | 'publish') => outcomes.get(taskId(verb, subjectKey(document)))
  const written = of('update') ?? of('create')
  const published = of('publish')
  if (published === undefined || written?.failure) return written
  return written && published.failure ? unpublished(written, published) : published
}

/** A record that was written, but not published. */
const unpublished = (written: Row, { status, message, failure, problems }: Row): Row =>
  status === 'not_sent'
    ? { ...written, message: `${written.message}; not published: ${failure?.message}` }
    : { ...written, status, message: `${written.message}; not published: ${message}`, failure, problems }

const unchangedRow = ({ document, staysDraft }: Step): Row => ({
  ...subjectOf(document),
  status: 'unchanged',
  message: `Unchanged ${document.kind} ${document.name}${staysDraft ? ' (draft)' : ''}`,
  printed: null,
})

/** Rows of a plan of which some documents are refused; `why` the others are not sent. */
export const refusedRows = ({ steps, deletions }: Plan, why: Failure): Row[] => [
  ...steps.map((step) => refusedRow(step) ?? notSent(subjectOf(step.document), why)),
  ...deletions.map((deletion) => notSent(deletionSubject(deletion), why)),
]

/** The number of rows by status: `2 created, 1 updated, 12 unchanged`. */
export function summaryOf(rows: readonly Row[]): string {
  const counts = new Map<string, number>()
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} ${status.replace('_', ' ')}`).join(', ')
}
