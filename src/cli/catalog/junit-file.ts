import { closeSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem } from '../../documents/load/loaded.ts'
import type { Outcome } from '../../documents/report/junit.ts'
import { type CommandLine, givenValue } from '../command-line.ts'
import type { Context } from '../context.ts'
import { exit, Failure, Reported, usage } from '../failure/failure.ts'
import { failureLines } from '../failure/report.ts'
import type { Output } from '../io/output.ts'
import { type FormatOption, printFailure, takesMore } from '../kinds/problems.ts'
import type { Surroundings } from '../words.ts'
import type { JUnitFileOptions } from './options.ts'

/** What a report says beside the rows of documents. */
interface RunNotes {
  /** Why the command itself failed. */
  readonly failure?: Pick<Failure, 'message' | 'hint'> | undefined
  /** Warnings of no document. */
  readonly warnings?: readonly Problem[] | undefined
}

/** Writes the rows of documents, and what there is to say of the run as a whole. */
export type Report = (rows: readonly Outcome[], run?: RunNotes) => Promise<void>

/**
 * Does the work of a command with the report in the file that --junit names. At first the report of a run that did not
 * finish is written: so an older report is gone, and a file that cannot be written fails early. A failure of the command
 * itself is reported, too; where the report cannot be written then, the exit code is that of the failure. Throws
 * `file_unwritable`, or `file_exists` for a file with something else than a report; once the results are shown, only its
 * exit code, because other programs read one document.
 */
export async function withJUnit(
  command: string,
  options: JUnitFileOptions & FormatOption,
  context: Context,
  work: (report: Report) => Promise<void>,
): Promise<void> {
  if (options.junit === undefined) return work(async () => {})
  if (options.junit === '-')
    throw usage('--junit writes no report to standard output', 'name a file: --junit report.xml')
  const { report, close } = await junitFile(command, options.junit, context)
  const { toFailure } = await import('../failure/translate.ts')
  let unwritten: Failure | undefined
  const tryReport: Report = (rows, run) =>
    report(rows, run).catch(async (error: unknown) => {
      unwritten = error instanceof Failure ? error : await toFailure(error, context.host)
    })
  try {
    await work(tryReport)
  } catch (error) {
    if (!(error instanceof Reported)) await tryReport([], { failure: await toFailure(error, context.host) })
    if (unwritten === undefined || !isDifference(error)) {
      if (unwritten) await showUnwritten(unwritten, options, context.output)
      throw error
    }
  } finally {
    close()
  }
  if (unwritten === undefined) return
  await showUnwritten(unwritten, options, context.output)
  throw new Reported(unwritten.exitCode)
}

/** Shows that the report is not written, beside the one document of what other programs read. */
async function showUnwritten(failure: Failure, { format }: FormatOption, output: Output): Promise<void> {
  output.complain(failureLines(failure, output))
  if (takesMore(format, output)) await printFailure(failure, format, output)
}

/** Writes that a run has failed into the report that its line names, which was refused before it began: no older one is left. */
export async function reportRefused(
  { operands: [command = ''], own }: CommandLine,
  surroundings: Surroundings,
  why: unknown,
): Promise<void> {
  const junit = givenValue('--junit', own)
  if (!junit || junit === '-') return
  const [{ report, close }, { toFailure }] = await Promise.all([
    junitFile(command, junit, surroundings),
    import('../failure/translate.ts'),
  ])
  try {
    await report([], { failure: await toFailure(why, surroundings.host) })
  } finally {
    close()
  }
}

/** Whether a run has found that its service differs, as it was asked to: that is no failure. */
const isDifference = (error: unknown): boolean => error instanceof Reported && error.exitCode === exit.different

interface ReportFile {
  readonly report: Report
  readonly close: () => void
}

async function junitFile(command: string, junit: string, { host, output }: Surroundings): Promise<ReportFile> {
  const started = performance.now()
  const [{ junitOf }, { beginsLike, notReplaced }] = await Promise.all([
    import('../../documents/report/junit.ts'),
    import('../io/text-files.ts'),
  ])
  const path = resolve(host.cwd, junit)
  if (isOpenFile(path))
    throw usage(`--junit writes no report to ${junit}, which leads to a file`, 'name the file: --junit report.xml')
  if (beginsLike(path, otherText))
    throw notReplaced(junit, 'a JUnit report', 'name a file for the report: --junit report.xml')
  const place = await placeOf(junit, host.cwd)
  const report: Report = async (rows, { failure, warnings } = {}) => {
    const seconds = (performance.now() - started) / 1000
    const all = failure ? [...rows, failureRow(command, failure)] : rows
    place.write(junitOf(all, { name: `vatom ${command}`, seconds, warnings, ...output.checkout }))
  }
  if (place.isReplaced) await report([], { failure: { message: 'the command did not finish', hint: undefined } })
  return { report, close: place.close }
}

/** Where reports are written to. */
interface Place {
  readonly write: (text: string) => void
  /** Whether a report takes the place of the one before it. */
  readonly isReplaced: boolean
  readonly close: () => void
}

/** A pipe is held open from the beginning: so its reader does not end before the report, and is missed early. */
async function placeOf(file: string, cwd: string): Promise<Place> {
  const { writeText, writing } = await import('../io/text-files.ts')
  const path = resolve(cwd, file)
  const found = writing(file, () => statSync(path, { throwIfNoEntry: false }))
  if (found === undefined || found.isFile())
    return { write: (text) => writeText(cwd, file, text), isReplaced: true, close: () => {} }
  const { openStream, writeStream } = await import('../../whole-file.ts')
  const stream = writing(file, () => openStream(path))
  return {
    write: (text) => writing(file, () => writeStream(stream, text)),
    isReplaced: false,
    close: () => closeSync(stream),
  }
}

/** Whether a path is an open stream that leads to a file: a report in its place would be another file than the open one. */
const isOpenFile = (path: string): boolean =>
  /^\/(dev\/(std(in|out|err)|fd\/\d+)|proc\/[^/]+\/fd\/\d+)$/.test(path) &&
  statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Any text that does not begin like a JUnit report, which may be of another program. */
const otherText = /^(?!\s*<([?!].*[?-]>\s*<)?testsuites?[\s/>])./s

/** What a report says of a command that failed as a whole. */
const failureRow = (command: string, failure: Pick<Failure, 'message' | 'hint'>): Outcome => ({
  file: null,
  kind: 'vatom',
  name: `vatom ${command}`,
  status: 'failed',
  message: failure.message,
  problems: [],
  failure,
})
