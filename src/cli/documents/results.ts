import type { Kind } from '../../contract/values.ts'
import { problemRow } from '../../documents/render-json.ts'
import type { Problem } from '../../documents/types.ts'
import { exit, Failure, Reported } from '../failure/failure.ts'
import { failureJson, failureLines } from '../failure/report.ts'
import type { Output } from '../output/output.ts'
import { styled } from '../output/text.ts'

export type Status =
  | 'valid'
  | 'invalid'
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'published'
  | 'deleted'
  | 'refused'
  | 'failed'
  | 'not_sent'

/** What became of one document. */
export interface Row {
  readonly file: string | null
  readonly kind: Kind
  readonly name: string
  readonly status: Status
  readonly message: string
  readonly problems: readonly Problem[]
  /** Why, where it failed; told in `error`, not in the row. */
  readonly failure?: Failure
}

const good: readonly Status[] = ['valid', 'created', 'updated', 'unchanged', 'published', 'deleted']
const isGood = ({ status }: Row) => good.includes(status)

/** Prints what became of the documents; throws Reported with the exit code where not all went well. */
export function finishRows(rows: readonly Row[], output: Output): void {
  const failed = rows.filter((row) => !isGood(row))
  const failure = summarize(rows, failed)
  output.result({ ...resultsJson(rows), ...(failure && { error: failureJson(failure) }) }, () =>
    rows.filter(isGood).map((row) => row.message),
  )
  if (failure === undefined) return
  for (const row of failed) if (row.failure) output.complain(failureLines(row.failure, output))
  if (rows.length > 1) output.complain([styled`${output.notePaint.red('error:')} ${failure.message}`])
  throw new Reported(failure.exitCode)
}

/** The file of a row: none for a document that came from flags. */
export const fileOf = (file: string): string | null => (file === flagsFile ? null : file)
/** What stands for a file where flags describe the document. */
export const flagsFile = '<flags>'

/** The document every command over documents prints under --json. */
export const resultsJson = (rows: readonly Row[]) => ({
  results: rows.map(({ failure: _, ...row }) => ({ ...row, problems: row.problems.map(problemRow) })),
  summary: { total: rows.length, ok: rows.filter(isGood).length, failed: rows.filter((row) => !isGood(row)).length },
})

/** One failure for all that failed: the only one there is, else how many failed and how. */
function summarize(rows: readonly Row[], failed: readonly Row[]): Failure | undefined {
  const reasons = failed.flatMap((row) => (row.failure ? [row.failure] : []))
  const [first] = reasons
  if (first === undefined || rows.length === 1) return first
  const message = `${failed.length} of ${rows.length} documents were not done`
  if (failed.length < rows.length) return new Failure('partly_done', exit.partial, message)
  const alike = reasons.every((one) => one.exitCode === first.exitCode)
  return new Failure(alike ? first.code : 'failed', alike ? first.exitCode : exit.refused, message)
}
