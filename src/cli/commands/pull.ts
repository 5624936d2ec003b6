import { Command } from 'commander'
import { type PullOptions, pull } from '../catalog/pull/pull.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'

export const command = (context: Context, run = pull): Command =>
  new Command('pull')
    .description(
      "Write your publisher's templates, variations, faces and actions as a catalog of YAML documents, laid out as by vatom init. What equals its default is left out; what is published says unpublished: false, so that creating it elsewhere publishes it. A file that says the same already is left as it is. Files of what is no longer there stay. Of faces for the same viewers the first is written, which viewers pick.",
    )
    .argument('[dir]', 'the folder to write to; made where there is none', '.')
    .option('--template <name>', 'only this template, with what belongs to it; may be given again', collected)
    .option('--keep-publisher', 'keep your own domain name in names, instead of $publisher')
    .option('--force', 'replace files that say something else')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom pull catalog
  vatom pull catalog --template '$publisher::Coffee::v1' --force
  vatom pull /tmp/before --keep-publisher --json

On a terminal it asks before it replaces files that say something else;
elsewhere nothing is written then, unless --force is given.`,
    )
    .action((dir: string, options: PullOptions) => run(dir, options, context))

const collected = (name: string, before: readonly string[] = []): readonly string[] => [...before, name]
