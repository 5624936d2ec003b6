import type { Outcome } from '../../../documents/report/junit.ts'
import { exit, Failure } from '../../failure/failure.ts'
import type { Output } from '../../io/output.ts'
import { plainText } from '../../io/plain-text.ts'
import { withAll } from '../../kinds/draft-contents.ts'
import type { Row, Status } from '../../kinds/results.ts'
import { failedRow, notSent, type Subject, subjectOf } from '../../kinds/send.ts'
import {
  type Deletion,
  isPublishing,
  isRefused,
  isWithheld,
  isWriting,
  type Plan,
  type StaysDraft,
  type Step,
} from './plan.ts'
import { detailLines } from './plan-lines.ts'

/** Why a plan cannot be carried out; undefined if it can. Its exit code is that of apply. */
export function refusalOf(plan: Plan): Failure | undefined {
  if (!isRefused(plan)) return undefined
  const all = [...plan.steps, ...plan.deletions]
  const exitCode = (all.length === 1 ? all[0]?.refusal?.exitCode : undefined) ?? exit.refused
  return new Failure('refused', exitCode, `${refusedText(plan)} would be refused`, {
    hint: 'correct what is refused: apply sends nothing until then',
  })
}

/** `1 of 5 documents` */
export function refusedText({ steps, deletions }: Plan): string {
  const refused = [...steps, ...deletions].filter(({ refusal }) => refusal).length
  return `${refused} of ${steps.length + deletions.length} ${deletions.length > 0 ? 'documents and deletions' : 'documents'}`
}

/** A row for each document and deletion of a plan, with the status that apply would report. */
export const plannedRows = (plan: Plan): Row[] => {
  const refusal = refusalOf(plan)
  return refusal
    ? refusedRows(plan, refusal)
    : [...plan.steps.map((step) => withOwner(stepRow(step, plan), step)), ...plan.deletions.map(deletionRow)]
}

/** The rows of a plan for a report, each with what the plan says of it. */
export const reportedRows = (plan: Plan, output: Pick<Output, 'paint' | 'hint'>): Outcome[] =>
  plannedRows(plan).map((row, index) => {
    const step = plan.steps[index]
    const lines = step ? detailLines(step, output) : []
    return { ...row, details: lines.map((line) => `  ${plainText(line).trim()}`) }
  })

/** Rows of a plan of which something is refused; `why` the others are not sent. */
export const refusedRows = (plan: Plan, why: Failure): Row[] => [
  ...plan.steps.map(
    (step) =>
      refusedRow(subjectOf(step.document), step) ?? idleRow(step, plan) ?? notSent(subjectOf(step.document), why),
  ),
  ...plan.deletions.map((one) => refusedRow(deletionSubject(one), one) ?? notSent(deletionSubject(one), why)),
]

function stepRow(step: Step, plan: Plan): Row {
  const idle = idleRow(step, plan)
  if (idle) return idle
  const { document, decision, staysDraft = 'not allowed' } = step
  const publishes = isPublishing(plan, step)
  const written = decision === 'create' ? 'created' : 'updated'
  const row = wouldRow(subjectOf(document), publishes ? 'published' : written)
  if (isWithheld(plan, step)) return { ...row, withheld: true, message: row.message + notPublished[staysDraft] }
  return publishes && isWriting(step) ? { ...row, written, message: `${messages[written]} and published` } : row
}

/** A row that also says what happens to the catalog of a record. */
function withOwner(row: Row, { takenFrom, isUnlabelled }: Step): Row {
  const owner = [
    ...(takenFrom === undefined ? [] : [`; will be taken over from the catalog ${takenFrom}`]),
    ...(isUnlabelled ? ['; its catalog will be recorded'] : []),
  ]
  return { ...row, message: row.message + owner.join('') }
}

function deletionRow(deletion: Deletion): Row {
  const row = wouldRow(deletionSubject(deletion), 'deleted')
  return { ...row, message: row.message + withAll(deletion.contents) }
}

const messages: Partial<Record<Status, string>> = {
  created: 'will be created',
  updated: 'will be changed',
  published: 'will be published',
  deleted: 'will be deleted',
}

const wouldRow = (subject: Subject, status: Status): Row => ({
  ...subject,
  status,
  would: status,
  message: messages[status] ?? status,
})

const refusedRow = (subject: Subject, { refusal }: Pick<Step, 'refusal'>): Row | undefined =>
  refusal && failedRow(subject, 'refused', refusal)

/** The row of a document for which nothing is sent, though it may be withheld from publishing. */
function idleRow(step: Step, plan: Plan): Row | undefined {
  if (isWriting(step) || isPublishing(plan, step)) return undefined
  const { document, staysDraft = 'not allowed' } = step
  return unchangedRow(isWithheld(plan, step) ? { document, staysDraft } : { document })
}

/** The row of a document that equals its record. */
export const unchangedRow = ({ document, staysDraft }: Pick<Step, 'document' | 'staysDraft'>): Row => ({
  ...subjectOf(document),
  status: 'unchanged',
  message: `Unchanged ${document.kind} ${document.name}${staysDraft ? ` (draft)${notPublished[staysDraft]}` : ''}`,
  ...(staysDraft && { withheld: true }),
  printed: null,
})

/** The end of the message for a document whose publishing is withheld. */
export const notPublished: Readonly<Record<StaysDraft, string>> = {
  'not allowed': '; not published: that takes --publish',
  declined: '; not published: that was not confirmed',
}

/** A deletion as the subject of a row. */
export const deletionSubject = ({
  kind,
  name,
  warnings = [],
}: Pick<Deletion, 'kind' | 'name' | 'warnings'>): Subject => ({
  file: null,
  kind,
  name,
  problems: warnings,
})
