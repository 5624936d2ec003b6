import type { Warning } from '../../contract/api/warnings.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { at, isObject, type Path, stepsOf } from '../../contract/schema/path.ts'
import type { LoadedDocument, Problem, Span } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { Would } from '../dry-run/would.ts'
import { exit, type Failure, interrupted } from '../failure/failure.ts'
import { isOtherService, toFailure, uncertainDryRun } from '../failure/translate.ts'
import { flagOf } from '../io/option-values.ts'
import { type Progress, progress } from '../io/progress.ts'
import { printWarnings } from '../io/warnings.ts'
import type { Connection } from '../service/connect.ts'
import { fileOf, flagsFile, type Row } from './results.ts'

/** The result of sending one document. */
export type Sent = Pick<Row, 'status' | 'message' | 'asset' | 'printed'>
export type Send = (document: LoadedDocument, connection: Connection) => Promise<Sent>

/** What a row is about. */
export type Subject = Pick<Row, 'file' | 'kind' | 'name' | 'problems' | 'place' | 'document'>
/** Work on one subject. */
export interface Job {
  readonly subject: Subject
  readonly run: () => Promise<Sent>
}

/** Runs one job after the other; after an interrupt, or without a service or session, the rest is not run. */
export async function runJobs(jobs: readonly Job[], context: Context, given?: Progress): Promise<Row[]> {
  const { host, output, warnings } = context
  printWarnings(warnings.take(), output)
  const rows: Row[] = []
  const warned = new Map<Subject, readonly Warning[]>()
  const bar = given ?? (await progress(output, host, jobs.length))
  let stopped: Failure | undefined
  for (const job of jobs) {
    bar.step(`${job.subject.kind} ${job.subject.name}`)
    stopped ??= host.signal.aborted ? interrupted() : undefined
    const row = stopped ? notSent(job.subject, stopped) : await runJob(job, host)
    if (row.failure && stopsAll(row.failure)) stopped = row.failure
    rows.push(row)
    const given = warnings.take()
    if (given.length > 0) warned.set(job.subject, given)
  }
  bar.stop()
  if (warned.size > 0) await printWarned(warned, jobs, output)
  return rows
}

/** Prints the warnings about each subject that its files did not show. The rules that these show are loaded only here. */
async function printWarned(
  warned: ReadonlyMap<Subject, readonly Warning[]>,
  jobs: readonly Job[],
  output: Context['output'],
): Promise<void> {
  const { newWarnings } = await import('./new-warnings.ts')
  const names = new Set(jobs.flatMap(({ subject }) => (subject.file === null ? [] : [subject.name])))
  for (const [subject, given] of warned)
    printWarnings(newWarnings(given, subject, names), output, jobs.length > 1 ? placeOf(subject) : undefined)
}

const placeOf = ({ file, kind, name }: Subject) => (file === null ? name : `${file}: ${kind} ${name}`)

const stopping: readonly number[] = [exit.session, exit.unreachable, exit.interrupted]
/** Codes of refusals that look like those of a session, and are about one vAtom. */
const aboutOne: readonly string[] = ['foreign_vatom', 'not_activated']
/** Codes that say nothing of the job: a service without an operation that is always there is at another path. */
const aboutAll: readonly string[] = [uncertainDryRun, 'unknown_path']
/** Whether later jobs would fail for the same reason. */
export const stopsAll = ({ exitCode, code }: Failure): boolean =>
  !aboutOne.includes(code) && (stopping.includes(exitCode) || isOtherService(code) || aboutAll.includes(code))

/** Failures with the same exit code that say nothing of the document. */
const notRefusals: readonly string[] = ['file_changed', 'unexpected_answer', 'no_json', uncertainDryRun]

/** Runs a job; its row has the failure, if any. */
export async function runJob({ subject, run }: Job, host: Context['host']): Promise<Row> {
  try {
    return { ...subject, ...(await run()) }
  } catch (error) {
    if (error instanceof Would) return wouldRow(subject, error)
    const failure = await toFailure(error, host)
    const isRefused = failure.exitCode === exit.refused && !failure.mayBeDone && !notRefusals.includes(failure.code)
    return failedRow(subject, isRefused ? 'refused' : 'failed', failure)
  }
}

/** The row of what was refused or failed, with the issues that the service reports. */
export function failedRow(subject: Subject, status: 'refused' | 'failed', failure: Failure): Row {
  const found = subject.document ? refusedProblems(subject.document, failure) : []
  return { ...subject, problems: [...subject.problems, ...found], status, message: failure.message, failure }
}

/** The row of a dry run: the status that the subject would have. */
const wouldRow = (subject: Subject, { message, becomes, request, answer, changed }: Would): Row => ({
  ...subject,
  status: becomes,
  message,
  would: becomes,
  ...(request && { request }),
  ...(answer !== undefined && { answer }),
  ...changed,
})

/** The row of a job that was not run, with the reason. */
export const notSent = (subject: Subject, failure: Failure): Row => ({
  ...subject,
  status: 'not_sent',
  message: `not sent: ${failure.message}`,
  failure,
})

/** A document as the subject of a row. */
export function subjectOf(document: LoadedDocument): Subject {
  const { file, kind, name, problems, locate } = document
  return { file: fileOf(file), kind, name, problems, place: locate([kindOf(kind).nameKey]), document }
}

/** The issues that the service reports, each at its place in the document. */
const refusedProblems = (document: LoadedDocument, { code, issues }: Failure): Problem[] =>
  issues.map((issue) => {
    if ('rule' in issue) return issue
    const { file, value } = document
    return {
      file,
      ...placeIn(document, issue.path),
      rule: code,
      severity: 'error',
      path: issue.path,
      message: file === flagsFile ? withFlag(stepsOf(issue.path, value), value, issue.message) : issue.message,
    }
  })

/** Where a path of the service is in a document; its name where the path is of the whole. */
export function placeIn({ kind, value, locate }: LoadedDocument, path: string): Span | undefined {
  const steps = stepsOf(path, value)
  return locate(steps.length === 0 ? [kindOf(kind).nameKey] : steps)
}

/** A message about a field behind its flag; the sections of a document have none. */
function withFlag(path: Path, document: unknown, message: string): string {
  const field = path.findLast((step) => typeof step === 'string')
  return field === undefined || isObject(at(document, ...path)) ? message : `${flagOf(field)}: ${message}`
}
