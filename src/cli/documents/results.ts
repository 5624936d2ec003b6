import type { AssetRecord } from '../../contract/asset.ts'
import type { Kind } from '../../contract/values.ts'
import { problemRow } from '../../documents/render-json.ts'
import type { Problem, Span } from '../../documents/types.ts'
import { exit, Failure, Reported } from '../failure/failure.ts'
import { failureJson, failureLines } from '../failure/report.ts'
import type { Output } from '../output/output.ts'
import type { Line } from '../output/text.ts'
import { type Format, formatOf } from './format.ts'
import { printReport } from './problems.ts'

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

/** What a command can be about: documents, and what is no document. */
export type RowKind = Kind | 'action_handler' | 'asset'

/** What became of one document, or of one thing that a command was about. */
export interface Row {
  readonly file: string | null
  readonly kind: RowKind
  readonly name: string
  readonly status: Status
  readonly message: string
  readonly problems: readonly Problem[]
  /** The asset that was made of a file. */
  readonly asset?: AssetRecord
  /** What text output prints on stdout in place of the message. */
  readonly printed?: string
  /** Why, where it failed; told in `error`, not in the row. */
  readonly failure?: Failure
  /** Where its name stands, for a report of what failed. */
  readonly place?: Span | undefined
}

const good: readonly Status[] = ['valid', 'created', 'updated', 'unchanged', 'published', 'deleted']
const isGood = ({ status }: Row) => good.includes(status)

/** Prints what became of the documents; throws Reported with the exit code where not all went well. */
export async function finishRows(rows: readonly Row[], format: Format, output: Output): Promise<void> {
  const failed = rows.filter((row) => !isGood(row))
  const failure = summarize(rows, failed)
  const done = rows.filter(isGood).map((row) => row.printed ?? row.message)
  const wanted = formatOf(format, output)
  if (wanted === 'json') output.document({ ...resultsJson(rows), ...(failure && { error: failureJson(failure) }) })
  else if (wanted === 'text') output.result(null, () => done)
  else await reportRows(rows, done, wanted, output)
  if (failure === undefined) return
  output.complain(complaints(failed, failure, output))
  throw new Reported(failure.exitCode)
}

/** Each reason once, after the file it is about where there are several; each hint once, at the end. */
function complaints(failed: readonly Row[], failure: Failure, output: Output): Line[] {
  const told = new Map<Failure, Row>()
  for (const row of failed) if (row.failure && !told.has(row.failure)) told.set(row.failure, row)
  if (told.has(failure)) return failureLines(failure, output)
  const hints = new Set([...told.keys()].flatMap(({ hint }) => (hint === undefined ? [] : [hint])))
  return [
    ...[...told].flatMap(([reason, { file, name }]) =>
      failureLines({ message: `${file ?? name}: ${reason.message}`, hint: undefined, issues: reason.issues }, output),
    ),
    ...failureLines({ message: failure.message, hint: [...hints].join('; ') || undefined, issues: [] }, output),
  ]
}

/** For a program that reads problems: those of the documents, and what failed about them afterwards. */
async function reportRows(
  rows: readonly Row[],
  done: readonly string[],
  format: Format,
  output: Output,
): Promise<void> {
  const problems = rows.flatMap((row) => [...row.problems, ...(row.failure ? [failureProblem(row, row.failure)] : [])])
  await printReport({ problems, sources: new Map() }, format, output)
  for (const line of done) output.note(line)
}

const failureProblem = ({ file, place }: Row, { code, message, hint }: Failure): Problem => ({
  file: file ?? flagsFile,
  ...place,
  rule: code,
  severity: 'error',
  path: '',
  message,
  ...(hint !== undefined && { hint }),
})

/** The file of a row: none for a document that came from flags. */
export const fileOf = (file: string): string | null => (file === flagsFile ? null : file)
/** What stands for a file where flags describe the document. */
export const flagsFile = '<flags>'

/** The document every command over documents prints under --json. */
export const resultsJson = (rows: readonly Row[]) => ({
  results: rows.map(({ failure: _, place: __, printed: ___, ...row }) => ({
    ...row,
    problems: row.problems.map(problemRow),
  })),
  summary: { total: rows.length, ok: rows.filter(isGood).length, failed: rows.filter((row) => !isGood(row)).length },
})

/** One failure for all that failed: the only one there is, else how many failed and how. */
function summarize(rows: readonly Row[], failed: readonly Row[]): Failure | undefined {
  const reasons = failed.flatMap((row) => (row.failure ? [row.failure] : []))
  const [first] = reasons
  if (first === undefined) return undefined
  if (failed.length === rows.length && reasons.every((one) => one === first)) return first
  const message = `${failed.length} of ${rows.length}${thingsOf(rows)} were not done`
  if (reasons.some((one) => one.code === 'interrupted')) return new Failure('interrupted', exit.interrupted, message)
  if (failed.length < rows.length) return new Failure('partly_done', exit.partial, message)
  const alike = reasons.every((one) => one.exitCode === first.exitCode)
  return new Failure(alike ? first.code : 'failed', alike ? first.exitCode : exit.refused, message)
}

function thingsOf(rows: readonly Row[]): string {
  if (rows.every(({ file }) => file === null)) return ''
  return rows.every(({ kind }) => kind === 'asset') ? ' files' : ' documents'
}
