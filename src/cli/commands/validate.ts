import { Command } from 'commander'
import type { Context } from '../context.ts'
import { invalidFailure, refuseInvalid, rowsOf, sourceOf } from '../kinds/load-checked.ts'
import { type FormatOption, formatOf, formatOption } from '../kinds/problems.ts'
import { type Row, resultsJson } from '../kinds/results.ts'
import { printValid } from '../kinds/verbs/validate.ts'
import { knownPublisher } from '../service/publisher.ts'

type ValidateOptions = FormatOption

export const command = (context: Context): Command =>
  new Command('validate')
    .description(
      'Check a whole catalog without the service: documents of every kind, each by itself and against the others. The options --fix and --probe belong to the commands for one kind, such as vatom template validate.',
    )
    .argument('<path...>', 'YAML or JSON files, folders, globs, or - for standard input')
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  vatom validate catalog/\n  vatom validate catalog/ --format github')
    .action((paths: string[], options: ValidateOptions) => validate(paths, options, context))

async function validate(paths: readonly string[], { format }: ValidateOptions, context: Context): Promise<void> {
  const { loadInOrder } = await import('../../documents/load/load.ts')
  const loaded = await loadInOrder(paths, { ...sourceOf(context), publisher: await knownPublisher(context) })
  const rows = rowsOf(loaded, 'template').map(checked)
  const results = resultsJson(rows)
  const failure = await invalidFailure(loaded)
  if (failure) return refuseInvalid(results, { loaded, format, failure }, context.output)
  return printValid({ rows, results, found: loaded }, formatOf(format, context.output), context.output)
}

const checked = (row: Row): Row => (row.status === 'invalid' ? row : { ...row, status: 'valid', message: 'valid' })
