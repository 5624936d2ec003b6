import type { CommanderError } from 'commander'
import type { Warning } from '../../contract/api/warnings.ts'
import { withoutTokens } from '../../contract/tokens.ts'
import type { Format } from '../../contract/values.ts'
import { problemRow } from '../../documents/report/json.ts'
import { codeOf, openFilesRemedy } from '../../file-system.ts'
import { Would } from '../dry-run/would.ts'
import type { Host } from '../host.ts'
import type { Output } from '../io/output.ts'
import { type Line, styled } from '../io/text.ts'
import { printWarnings } from '../io/warnings.ts'
import { type ExitCode, exit, Failure, Reported, unexpected, usage } from './failure.ts'

export interface ReportOptions {
  readonly host: Host
  readonly output: Output
  readonly debug: boolean
  /** The help that was asked for. */
  readonly help: string
  /** How problems are to be printed. */
  readonly format?: Format | undefined
  /** Warnings of the service that are left to print. */
  readonly warnings?: readonly Warning[] | undefined
}

/**
 * Prints a failure on stderr, with --json or --format also on stdout. What to do next is the last that is printed. Returns
 * the exit code.
 */
export async function report(
  error: unknown,
  { host, output, debug, help, format = 'text', warnings = [] }: ReportOptions,
): Promise<number> {
  printWarnings(warnings, output)
  if (error instanceof Reported) {
    output.complain(error.ending)
    return host.signal.aborted ? exit.interrupted : error.exitCode
  }
  if (isHelp(error)) return reportHelp(error, help, output)
  if (error instanceof Would) return reportWould(error, output)
  const failure = await failureOf(error, host)
  if (format !== 'text') await (await import('../kinds/problems.ts')).printFailure(failure, format, output)
  output.complain([...failureLines(failure, output), ...(debug ? stackLines(error) : [])])
  if (output.json || format === 'json') output.document({ error: failureJson(failure, output) })
  return failure.exitCode
}

/** The failure that an error is; without what explains it, where the code for that cannot be read, as with too many open files. */
async function failureOf(error: unknown, host: Host): Promise<Failure> {
  try {
    const { toFailure } = await import('./translate.ts')
    return await toFailure(error, host)
  } catch (cause) {
    return error instanceof Failure ? error : unexpected(error, openFilesRemedy(cause))
  }
}

/** The result of a dry run of a single write. */
function reportWould({ message, becomes, request, answer }: Would, output: Output): ExitCode {
  output.report({ would: becomes, message, ...(request && { request }), ...(answer !== undefined && { answer }) }, () =>
    message.split('\n'),
  )
  return exit.done
}

const helpCodes = ['commander.help', 'commander.helpDisplayed']
const isHelp = (error: unknown): error is CommanderError => helpCodes.includes(String(codeOf(error)))

/** Help that was requested is a success; help that is shown because the subcommand is missing is a usage error. */
async function reportHelp(error: CommanderError, help: string, output: Output): Promise<ExitCode> {
  if (error.exitCode === 0) {
    await output.listing({ help }, () => help.trimEnd().split('\n'))
    return exit.done
  }
  const failure = usage('A subcommand is missing')
  if (output.json) output.document({ error: failureJson(failure, output) })
  return failure.exitCode
}

/** `error` of a JSON result; a problem of a document has every key, null where nothing is known. */
export const failureJson = (
  { code, message, hint: own, issues, attempts, retryAfter, mayBeDone }: Failure,
  output: Pick<Output, 'hint'>,
  /** What to do next about all that failed. */
  hint = own,
) => ({
  code,
  message,
  hint: hint === undefined ? null : output.hint(hint),
  ...(attempts !== undefined && { attempts }),
  ...(retryAfter !== undefined && { retry_after: retryAfter }),
  ...(mayBeDone && { may_be_done: true }),
  issues: issues.map((issue) => ('rule' in issue ? problemRow(issue) : issue)),
})

/** A failure in lines: what failed, each issue that this does not name, and what to do next. */
export const failureLines = (
  { message, hint, listed }: Pick<Failure, 'message' | 'hint' | 'listed'>,
  { notePaint: paint, hint: hintOf }: Pick<Output, 'notePaint' | 'hint'>,
): Line[] => [
  styled`${paint.red('error:')} ${message}`,
  ...listed.map((issue) => styled`  ${issue.path ? `${issue.path}: ` : ''}${issue.message}`),
  ...(hint === undefined ? [] : [styled`${paint.cyan('hint:')} ${hintOf(hint)}`]),
]

/** The failure of a command that has shown its results. */
export const shownFailure = (failure: Failure, output: Output) =>
  new Reported(failure.exitCode, failureLines(failure, output))

function stackLines(error: unknown): Line[] {
  if (!(error instanceof Error)) return [String(error)]
  const own = withoutTokens(error.stack ?? error.message).split('\n')
  return error.cause === undefined ? own : [...own, 'caused by:', ...stackLines(error.cause)]
}
