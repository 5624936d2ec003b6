import type { AssetRecord } from '../../contract/api/asset.ts'
import type { Difference } from '../../contract/kinds/changes.ts'
import type { Format, KindName } from '../../contract/values.ts'
import type { LoadedDocument, Problem, Span } from '../../documents/load/loaded.ts'
import { problemRow } from '../../documents/report/json.ts'
import type { Unsent } from '../dry-run/would.ts'
import { exit, Failure, hintOf, Reported } from '../failure/failure.ts'
import { failureJson, failureLines } from '../failure/report.ts'
import type { Output } from '../io/output.ts'
import type { Line } from '../io/text.ts'
import { contextOf, type Target } from '../service/target.ts'
import { differenceLines } from './difference-lines.ts'
import { followingLines } from './following-lines.ts'
import { isUnknown, undoneLines } from './outcomes.ts'
import { formatOf, printFenced, printReport, problemLines } from './problems.ts'

export type Status =
  | 'valid'
  | 'invalid'
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'left'
  | 'not_on_service'
  | 'published'
  | 'deleted'
  | 'refused'
  | 'failed'
  | 'not_sent'

/** What a row can be about: a document, or something else that commands change. */
export type RowKind = KindName | 'action_handler' | 'asset' | 'user_token' | 'vatom'

/** The result for one document, or for another thing that a command changes. */
export interface Row {
  readonly file: string | null
  readonly kind: RowKind
  readonly name: string
  readonly status: Status
  readonly message: string
  readonly problems: readonly Problem[]
  /** Under --dry-run, its status if anything would be done, and the request that was not sent. */
  readonly would?: Status
  readonly request?: Unsent
  /** What was done with a document before it was, or was to be, published. */
  readonly written?: Status
  /** Whether its document publishes it, but the run may not. */
  readonly withheld?: true
  /** The other catalog that owned its record until now. */
  readonly taken_from?: string
  /** The other catalog that owns its record, which a pull found out. */
  readonly catalog?: string
  /** Whether it was recorded which catalog owns its record, of which the service knew none. */
  readonly labelled?: true
  /** Whether it could not be recorded which catalog owns its record. */
  readonly unlabelled?: true
  /** What the service would answer. */
  readonly answer?: unknown
  /** What a document says before and after. */
  readonly changes?: readonly Difference[]
  /** How many vAtoms change with a draft. */
  readonly following_vatoms?: number
  /** The asset that was created from a file. */
  readonly asset?: AssetRecord
  /** Text output prints this on stdout instead of the message; null prints nothing. */
  readonly printed?: string | null
  /** Whether it was shown as soon as it was done: text output does not print it again. */
  readonly shown?: boolean
  /** Why, where it failed; printed in `error`, not in the row. */
  readonly failure?: Failure
  /** The place of its name, for a report of what failed. */
  readonly place?: Span | undefined
  /** The document it is about, for the frames of what the service finds wrong with it. */
  readonly document?: LoadedDocument
}

const good: readonly Status[] = [
  'valid',
  'created',
  'updated',
  'unchanged',
  'left',
  'not_on_service',
  'published',
  'deleted',
]
const isGood = ({ status }: Row) => good.includes(status)
/** Whether a row says that something was done, and is to be printed. */
export const isToPrint = (row: Row): boolean => (isGood(row) || row.written !== undefined) && row.printed !== null
/** Whether a command did something, if not all: what it left unchanged is neither done nor failed. */
const isDone = (row: Row) => row.written !== undefined || (isGood(row) && row.status !== 'unchanged')

export interface FinishOptions {
  readonly format: Format
  /** Why the command fails, unless it is because of rows. */
  readonly refusal?: Failure | undefined
  /** The number of rows of each status, which comes behind them. */
  readonly total?: string
  /** What else the summary of --json counts. */
  readonly counts?: Readonly<Record<string, number>>
  /** The service that it was done on, if --json says so. */
  readonly target?: Target
  /** The command that goes on after an interruption. */
  readonly resume?: string
  /** Warnings of no row, which were printed as text already. */
  readonly warnings?: readonly Problem[]
}

/** Prints the results; throws Reported with the exit code if something failed. */
export async function finishRows(
  rows: readonly Row[],
  { format, refusal, total, counts, target, resume, warnings = [] }: FinishOptions,
  output: Output,
): Promise<void> {
  const failed = rows.filter((row) => !isGood(row))
  const failure = refusal ?? summarize(rows, failed, resume)
  const doneRows = rows.filter(isToPrint)
  const newRows = doneRows.filter(({ shown }) => !shown)
  const undone = rows.some(isDone) ? undoneLines(failed) : []
  const wanted = formatOf(format, output)
  if (wanted === 'json') {
    const { results, summary } = resultsJson(rows, output)
    const error = failure && { error: failureJson(failure, output, hintFor(failure, reasonsOf(failed, failure))) }
    const ofNone = warnings.length > 0 && { warnings: warnings.map(problemRow) }
    const context = target && { context: contextOf(target) }
    output.document({ results, summary: { ...summary, ...counts }, ...context, ...ofNone, ...error })
  } else if (wanted === 'text') output.report(null, () => newRows.flatMap(doneLines))
  else {
    const exitCode = failure?.exitCode ?? exit.done
    const done = (wanted === 'markdown' ? doneRows : newRows).map(textOf)
    await reportRows(rows, { done, undone, exitCode, failure, total, others: warnings }, wanted, output)
  }
  if (total !== undefined) output.note(total)
  if (failure === undefined) return
  output.complain(await problemLines(refusals(failed), output))
  if (undone.length > 0) output.complain(['Not done:', ...undone.map((line) => `  ${line}`)])
  // A refusal is that of the whole run.
  const blamed = refusal === undefined && rows.length > 1 ? onlyBlamed(failed, failure) : undefined
  throw new Reported(failure.exitCode, complaints(failed, failure, blamed, output))
}

export const textOf = ({ printed, message }: Row): string => printed ?? message

/** What was done, or would be: there with the change of each field, unless its row has a text of its own. */
const doneLines = (row: Row): Line[] => [
  textOf(row),
  ...(row.would && row.printed === undefined ? changeLines(row) : []),
]

const changeLines = ({ changes = [], following_vatoms }: Row): Line[] => [
  ...differenceLines(changes),
  ...followingLines(following_vatoms),
]

/** The errors that the service found: documents with other errors were not sent. */
const refusals = (failed: readonly Row[]) => ({
  problems: failed.flatMap(errorsOf),
  sources: new Map(failed.flatMap(({ document }) => (document ? [[document.file, document.text] as const] : []))),
})

const errorsOf = ({ problems }: Row) => problems.filter(({ severity }) => severity === 'error')

/** Each reason once, with its file if there are several reasons or one row is to blame; each hint once, at the end. */
function complaints(failed: readonly Row[], failure: Failure, blamed: Row | undefined, output: Output): Line[] {
  const byReason = reasonsOf(failed, failure)
  const hint = hintFor(failure, byReason)
  const only = byReason.get(failure)
  if (only && byReason.size === 1) {
    const { message, listed } = reasonOf(only, failure)
    return failureLines({ message: `${blamed ? placeOf(blamed) : ''}${message}`, listed, hint }, output)
  }
  byReason.delete(failure)
  return [
    ...[...byReason].flatMap(([failed, row]) => {
      const { message, listed } = reasonOf(row, failed)
      const place = row.status === 'not_sent' ? '' : placeOf(row)
      return failureLines({ message: `${place}${message}`, hint: undefined, listed }, output)
    }),
    ...failureLines({ message: failure.message, hint, listed: [] }, output),
  ]
}

/** Each reason with its first row; those of rows that were sent come first. */
function reasonsOf(failed: readonly Row[], failure: Failure): Map<Failure, Row> {
  const byReason = new Map<Failure, Row>()
  const byBlame = [...failed].sort((a, b) => Number(a.status === 'not_sent') - Number(b.status === 'not_sent'))
  for (const row of byBlame)
    if (row.failure && isShown(row.failure, failure) && !byReason.has(row.failure)) byReason.set(row.failure, row)
  return byReason
}

/** What to do next about several reasons, and about the failure of all. */
function hintFor(failure: Failure, byReason: ReadonlyMap<Failure, Row>): string | undefined {
  const reasons = [...byReason.keys()]
  const advices = new Set(reasons.flatMap(({ advice }) => (advice === undefined ? [] : [advice])))
  return hintOf(
    {
      mayBeDone: [failure, ...reasons].some(({ mayBeDone }) => mayBeDone),
      advice: joinedHints([...advices], failure.advice),
    },
    reasons.flatMap(({ request }) => request ?? []),
  )
}

/** Where a row is from, before why it failed. */
const placeOf = ({ file, name }: Row) => `${file ?? name}: `

/** The row that failed, if it is one, for a reason that is not that of all. */
function onlyBlamed(failed: readonly Row[], { code, mayBeDone }: Failure): Row | undefined {
  const isOfAll = code === 'interrupted' || code === 'no_session' || (code === 'unreachable' && !mayBeDone)
  const [row, ...others] = failed.filter(({ status }) => status !== 'not_sent')
  return isOfAll || others.length > 0 ? undefined : row
}

/** Hints of rows that are printed. */
const maxHints = 3

/** The hints of rows, of which there may be as many as rows, and that of all; what another ends with is said by that. */
function joinedHints(hints: readonly string[], common: string | undefined): string | undefined {
  const more = hints.length - maxHints
  const parts = [
    ...hints.slice(0, maxHints),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(common === undefined || hints.includes(common) ? [] : [common]),
  ]
  return parts.filter((one) => !parts.some((other) => other.endsWith(`; ${one}`))).join('; ') || undefined
}

/** An interruption is one line, however many it stopped. */
const isShown = ({ code }: Failure, total: Failure) => code !== 'interrupted' || total.code !== 'interrupted'

/** Why a row failed; problems that were already printed are not repeated. */
const reasonOf = (row: Row, { message, listed }: Failure) =>
  errorsOf(row).length === 0 ? { message, listed } : { message: `${row.kind} ${row.name} was refused`, listed: [] }

/** Prints problems for another program: those of the documents, and those of sending them. */
export async function reportRows(
  rows: readonly Row[],
  { done, total, others = [], ...ending }: Ending & Others,
  format: Format,
  output: Output,
): Promise<void> {
  const problems = [...rows.flatMap((row) => problemsOf(row, output)), ...others]
  if (format === 'markdown') return markdownRows(problems, { done, total, ...ending }, output)
  await printReport({ ...ending, problems, sources: new Map() }, format, output)
  for (const line of done) output.note(line)
}

interface Others {
  /** Problems of no document. */
  readonly others?: readonly Problem[]
}

interface Ending {
  readonly done: readonly string[]
  /** What a run that did a part of its work left undone. */
  readonly undone?: readonly string[]
  readonly exitCode: number
  readonly failure?: Failure | undefined
  readonly total?: string | undefined
}

/** The total first, then why the command failed, what was done and what was not, and the problems. */
async function markdownRows(
  problems: readonly Problem[],
  { done, undone = [], total, failure, exitCode }: Ending,
  output: Output,
): Promise<void> {
  if (total !== undefined) output.result(null, () => [`### ${total}`, ''])
  if (failure) {
    const { message, hint } = failure
    await printTitled('Error:', [message, ...(hint === undefined ? [] : [`hint: ${output.hint(hint)}`])], output)
  }
  await printTitled('Done:', done, output)
  await printTitled('Not done:', undone, output)
  if (problems.length === 0) return
  output.result(null, () => ['**Problems:**', ''])
  await printReport({ problems, sources: new Map(), exitCode }, 'markdown', output)
}

async function printTitled(title: string, lines: readonly string[], output: Output): Promise<void> {
  if (lines.length === 0) return
  output.result(null, () => [`**${title}**`, ''])
  await printFenced(lines, output)
  output.result(null, () => [''])
}

/** The problems of a row. What was not sent because of something else has no mistake of its own. */
const problemsOf = (row: Row, output: Output): readonly Problem[] =>
  row.failure && row.status !== 'not_sent' ? failedProblems(row, row.failure, output) : row.problems

/** The problems of a document that failed, each error with the hint; the failure itself if there is no error. */
function failedProblems(row: Row, failure: Failure, output: Output): Problem[] {
  const hint = failure.hint && output.hint(failure.hint)
  if (errorsOf(row).length === 0) return [...row.problems, failureProblem(row, failure, hint)]
  return row.problems.map((problem) =>
    problem.severity === 'error' && hint !== undefined ? { ...problem, hint } : problem,
  )
}

const failureProblem = ({ file, place }: Row, { code, message }: Failure, hint?: string): Problem => ({
  file: file ?? flagsFile,
  ...place,
  rule: code,
  severity: 'error',
  path: '',
  message,
  ...(hint !== undefined && { hint }),
})

/** The file of a row; null for a document from flags. */
export const fileOf = (file: string): string | null => (file === flagsFile ? null : file)
/** The name of the file for a document from flags. */
export const flagsFile = '<flags>'

/** What every command for documents prints under --json. */
export const resultsJson = (rows: readonly Row[], output: Output) => ({
  results: rows.map((all) => {
    const { failure: _, place: __, printed: ___, document: ____, shown: _____, ...row } = all
    return {
      ...row,
      ...(isUnknown(all) && { may_be_done: true }),
      problems: problemsOf(all, output).map(problemRow),
    }
  }),
  summary: { total: rows.length, ok: rows.filter(isGood).length, failed: rows.filter((row) => !isGood(row)).length },
})

/** One failure for all rows that failed: their common one, or how many failed. */
function summarize(rows: readonly Row[], failed: readonly Row[], resume: string | undefined): Failure | undefined {
  const reasons = failed.flatMap((row) => (row.failure ? [row.failure] : []))
  const [first] = reasons
  if (first === undefined) return undefined
  const unknown = failed.filter(isUnknown).length
  const of = ` of ${rows.length}${thingsOf(rows)}`
  const known = failed.length - unknown
  const message = [
    ...(known > 0 ? [`${known}${of} were not done`] : []),
    ...(unknown > 0
      ? [`${unknown}${known > 0 ? '' : of} may have been${known > 0 ? '' : ' done'}: no answer of the service arrived`]
      : []),
  ].join(', ')
  if (reasons.some((one) => one.code === 'interrupted'))
    return new Failure('interrupted', exit.interrupted, `interrupted: ${message}`, {
      hint: resume && `to go on: ${resume}; what is done is not done twice`,
    })
  const isPartly = rows.some(isDone)
  const mayBeDone = unknown > 0
  if (!isPartly && reasons.every((one) => one === first)) return first
  if (isPartly)
    return new Failure('partly_done', exit.partial, message, {
      hint: resume && `to do the rest: ${resume}`,
      mayBeDone,
    })
  const alike = reasons.every((one) => one.exitCode === first.exitCode)
  return new Failure(alike ? first.code : 'failed', alike ? first.exitCode : exit.refused, message, { mayBeDone })
}

function thingsOf(rows: readonly Row[]): string {
  if (rows.every(({ file }) => file === null)) return ''
  return rows.every(({ kind }) => kind === 'asset') ? ' files' : ' documents'
}
