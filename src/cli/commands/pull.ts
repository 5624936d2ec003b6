import { Command } from 'commander'
import { type PullOptions, pull } from '../catalog/pull/pull.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { collected } from '../io/option-values.ts'

export const command = (context: Context): Command =>
  new Command('pull')
    .description(
      "Write your publisher's templates, variations, faces and actions to a catalog of YAML documents, in the same layout as vatom init. Values that equal their default are left out. Documents of published records say unpublished: false, so that creating them elsewhere publishes them. Files that already have the same content are not changed; files of records that no longer exist are not deleted. If several faces are for the same viewers, only the first is written, because viewers pick that one.",
    )
    .argument('[dir]', 'the folder to write to; created if it does not exist', '.')
    .option(
      '--template <name>',
      'write only this template, with its variations, faces and actions; may be given again',
      collected,
    )
    .option('--keep-publisher', 'keep your own domain name in names, instead of $publisher')
    .option('--force', 'replace files that have other content')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom pull catalog
  vatom pull catalog --template '$publisher::Coffee::v1' --force
  vatom pull /tmp/before --keep-publisher --json

On a terminal it asks before it replaces files that have other content. Without
a terminal it then writes nothing, unless you give --force.`,
    )
    .action((dir: string, options: PullOptions) => pull(dir, options, context))
