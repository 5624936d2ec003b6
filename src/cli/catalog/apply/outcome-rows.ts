import type { Problem } from '../../../documents/load/loaded.ts'
import { isUnknown, outcomeText } from '../../kinds/outcomes.ts'
import type { Row } from '../../kinds/results.ts'
import type { Plan, StaysDraft, Step } from '../plan/plan.ts'
import { notPublished, unchangedRow } from '../plan/planned-rows.ts'
import { documentTaskId, taskId } from './tasks.ts'

/** A row for each document and deletion of a plan, from the outcomes of its tasks. */
export const outcomeRows = ({ steps, deletions }: Plan, outcomes: ReadonlyMap<string, Row>): Row[] => [
  ...steps.map((step) => withFollowers(outcomeOf(step, outcomes), step) ?? unchangedRow(step)),
  ...deletions.flatMap((deletion) => outcomes.get(taskId('delete', deletion)) ?? []),
]

/** The row of a draft that was changed, with how many vAtoms changed with it. */
const withFollowers = (row: Row | undefined, { followers = 0 }: Step): Row | undefined =>
  row && followers > 0 && (row.written ?? row.status) === 'updated' ? { ...row, following_vatoms: followers } : row

/** The outcome of the last of a document's tasks; publishing comes after writing. */
function outcomeOf({ document, staysDraft }: Step, outcomes: ReadonlyMap<string, Row>): Row | undefined {
  const of = (verb: 'create' | 'update' | 'publish') => outcomes.get(documentTaskId(verb, document))
  const written = of('update') ?? of('create')
  const published = of('publish')
  if (written && staysDraft && !written.failure) return withheld(written, staysDraft)
  if (published === undefined || written?.failure) return written
  if (written === undefined) return published
  const problems = [...new Map([...written.problems, ...published.problems].map((one) => [keyOf(one), one])).values()]
  const own = written.status === 'unchanged' ? {} : { written: written.status }
  return { ...(published.failure ? unpublished(written, published) : published), ...own, problems }
}

/** What two writes of a document find is reported once. */
const keyOf = ({ line, severity, rule, path, message }: Problem) =>
  JSON.stringify([line, severity, rule, path, message])

/** A record that was written, and stays a draft because the run may not publish. The total says so to people. */
const withheld = (row: Row, why: StaysDraft): Row => ({
  ...row,
  withheld: true,
  message: row.message + notPublished[why],
  printed: row.printed ?? row.message,
})

/** A record that was written, but not published although its document says so. */
const unpublished = (written: Row, { status, failure }: Row): Row => ({
  ...written,
  status,
  message: `${written.message}; ${isUnknown({ status, failure }) ? 'may be published' : 'not published'}: ${failure?.message}`,
  failure,
})

/** How many records changed their catalog, of how many it was recorded only now, and of how many it could not be. */
const ownerCounts = (rows: readonly Row[]) => ({
  take_over: rows.filter((row) => row.taken_from !== undefined).length,
  labelled: rows.filter((row) => row.labelled).length,
  unlabelled: rows.filter((row) => row.unlabelled).length,
})

/** What the summary of --json counts beside what succeeded and failed: drafts that their documents publish, and owners. */
export const countsIn = (rows: readonly Row[]) => ({
  withheld: rows.filter((row) => row.withheld).length,
  ...ownerCounts(rows),
})

/** The number of rows by status: `2 created, 1 updated and published, 12 unchanged; 3 taken over`, `1 with unknown outcome`. */
export function summaryOf(rows: readonly Row[]): string {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const label = outcomeText(row)
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  const { take_over: takenOver, labelled, unlabelled } = ownerCounts(rows)
  return [
    [...counts].map(([label, count]) => `${count} ${label}`).join(', '),
    ...(takenOver > 0 ? [`${takenOver} taken over`] : []),
    ...(labelled > 0 ? [`${labelled} whose catalog was recorded`] : []),
    ...(unlabelled > 0 ? [`${unlabelled} whose catalog could not be recorded`] : []),
  ].join('; ')
}
