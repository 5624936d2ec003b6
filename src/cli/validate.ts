import { Command } from 'commander'
import type { Kind } from '../contract/values.ts'
import type { Loaded } from '../documents/types.ts'
import { invalidFailure, noteOthers, printInvalid, rowsOf } from './check.ts'
import type { Context } from './context.ts'
import { Reported } from './failure.ts'
import { type Format, formatOption } from './format.ts'
import type { Output } from './output.ts'
import { problemLines, reportLines } from './problems.ts'
import { knownPublisher } from './publisher.ts'
import { failureJson } from './report.ts'
import { type Row, resultsJson } from './results.ts'
import { styled } from './text.ts'

interface ValidateOptions {
  readonly format: Format
}

/** `validate` of a noun: every check that needs no service. */
export const validateCommandFor = (noun: Kind, context: Context, run = validate): Command =>
  new Command('validate')
    .summary(`check ${noun}s without sending them`)
    .description(`Check ${noun} documents as far as that goes without the service: all problems of all files at once.`)
    .argument('<file...>', 'YAML or JSON files, folders, globs, or - for standard input')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `\nExamples:\n  vatom ${noun} validate catalog/\n  vatom ${noun} validate 'catalog/**/*.yaml' --format github`,
    )
    .action((files: string[], options: ValidateOptions) => run(noun, files, options, context))

export async function validate(
  noun: Kind,
  files: readonly string[],
  options: ValidateOptions,
  context: Context,
): Promise<void> {
  const { host, output } = context
  const { loadDocuments } = await import('../documents/load.ts')
  const publisher = await knownPublisher(context)
  const loaded = await loadDocuments(files, { cwd: host.cwd, readStdin: context.stdin, noun, publisher })
  noteOthers(loaded.others, noun, output)
  const format = output.json ? 'json' : options.format
  const rows = rowsOf(loaded, noun).map(
    (row): Row => (row.status === 'not_sent' ? { ...row, status: 'valid', message: 'valid' } : row),
  )
  const failure = invalidFailure(loaded)
  if (failure === undefined) return printValid(rows, loaded, format, output)
  printInvalid({ ...resultsJson(rows), error: failureJson(failure) }, { loaded, format, failure }, output)
  throw new Reported(failure.exitCode)
}

function printValid(rows: readonly Row[], loaded: Loaded, format: Format, output: Output): void {
  output.complain(problemLines(loaded, output))
  if (format === 'json') output.document(resultsJson(rows))
  else if (format === 'text')
    output.result(null, () =>
      rows.map(({ kind, name, file }) => styled`${output.paint.green('valid')} ${kind} ${name} (${file ?? ''})`),
    )
  else output.result(null, () => reportLines(loaded, format, output))
}
