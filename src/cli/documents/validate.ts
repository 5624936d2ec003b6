import { Command } from 'commander'
import type { Kind } from '../../contract/values.ts'
import type { ValidatedRow, Validation } from '../../documents/validate.ts'
import type { Context } from '../context.ts'
import type { Output } from '../output/output.ts'
import { styled } from '../output/text.ts'
import { knownPublisher } from '../service/publisher.ts'
import { hasEnvironmentTokens } from '../service/target.ts'
import { invalidFailure, noteOthers, refuseInvalid, sourceOf } from './check.ts'
import { type Format, formatOf, formatOption } from './format.ts'
import { printReport, problemLines } from './problems.ts'
import { type Row, resultsJson } from './results.ts'
import { checking } from './verbs.ts'

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
  const { validateFiles } = await import('../../documents/validate.ts')
  const publisher = await knownPublisher(context)
  const found = await validateFiles(files, {
    ...sourceOf(context),
    noun,
    verbs: checking,
    publisher,
    cacheDir: cacheFolder(context),
    fingerprint: host.build,
  })
  noteOthers(found.others, noun, output)
  const rows = found.rows.map(rowOf)
  const failure = await invalidFailure(found)
  if (failure !== undefined) return refuseInvalid(resultsJson(rows), { ...options, loaded: found, failure }, output)
  return printValid(rows, found, formatOf(options.format, output), output)
}

/** A pipeline that brings its tokens in the environment finds nothing of ours on disk afterwards. */
const cacheFolder = ({ host, dirs }: Context) => (hasEnvironmentTokens(host.env) ? undefined : dirs.cache)

const rowOf = ({ valid, ...row }: ValidatedRow): Row => {
  const status = valid ? 'valid' : 'invalid'
  return { ...row, status, message: status }
}

async function printValid(rows: readonly Row[], found: Validation, format: Format, output: Output): Promise<void> {
  output.complain(await problemLines(found, output))
  if (format === 'json') output.document(resultsJson(rows))
  else if (format === 'text') output.result(null, () => rows.map((row) => validLine(row, output)))
  else await printReport(found, format, output)
}

const validLine = ({ kind, name, file }: Row, { paint }: Output) =>
  styled`${paint.green('valid')} ${kind} ${name} (${file ?? ''})`
