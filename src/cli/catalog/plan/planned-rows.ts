import type { Row } from '../../kinds/results.ts'
import { type Subject, subjectOf } from '../../kinds/send.ts'
import type { Deletion, Plan, Step } from './plan.ts'

/** A row for each document and deletion of a plan that is only shown. */
export const plannedRows = ({ steps, deletions }: Plan): Row[] => [...steps.map(stepRow), ...deletions.map(deletionRow)]

/** What apply would do with a document. */
export const stepRow = (step: Step): Row => refusedRow(step) ?? { ...subjectOf(step.document), ...prospectOf(step) }

/** What apply would do with a record that the catalog does not have. */
export const deletionRow = (deletion: Deletion): Row => ({ ...deletionSubject(deletion), ...prospects.delete })

/** The row of a step that is refused. */
export const refusedRow = ({ document, refusal }: Step): Row | undefined =>
  refusal && { ...subjectOf(document), status: 'refused', message: refusal.message, failure: refusal }

/** A deletion as the subject of a row. */
export const deletionSubject = ({ kind, name }: Pick<Deletion, 'kind' | 'name'>): Subject => ({
  file: null,
  kind,
  name,
  problems: [],
})

const prospectOf = ({ decision, publishes }: Step) =>
  publishes ? prospects.publish : prospects[decision === 'refuse' ? 'unchanged' : decision]

const prospects = {
  create: { status: 'unchanged', would: 'created', message: 'will be created' },
  update: { status: 'unchanged', would: 'updated', message: 'will be changed' },
  publish: { status: 'unchanged', would: 'published', message: 'will be published' },
  delete: { status: 'unchanged', would: 'deleted', message: 'will be deleted' },
  unchanged: { status: 'unchanged', message: 'unchanged' },
} as const
