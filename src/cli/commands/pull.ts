import { Command } from 'commander'
import type { PullOptions } from '../catalog/pull/pull.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { collected } from '../io/option-values.ts'

export const command = (context: Context): Command =>
  new Command('pull')
    .description(
      "Make a catalog say what the service has of your publisher's templates, variations, faces and actions. A document that the catalog has is changed in its own file, wherever that is: only values that differ, with the comments, order and quotes around them. What no file has is added to the file with its like, or to a new file, in the layout of the catalog or else of vatom init; values that equal their default are left out. Documents that are not on the service stay. A folder that has documents or a name (vatom.yaml) leaves out what another catalog with a name owns, unless you name its template, and the published versions before one that it has. Documents of published records say unpublished: false, so that creating them elsewhere publishes them. If several faces are for the same viewers, only the first is written, because viewers pick that one.",
    )
    .argument('[dir]', 'the folder of the catalog; created if it does not exist', '.')
    .option(
      '--template <name>',
      'write only this template, with its variations, faces and actions; may be given again',
      collected,
    )
    .option('--all-catalogs', 'write also what other catalogs own and no file has')
    .option('--all-versions', 'write also published templates of which the files have a later version')
    .option('--keep-publisher', 'keep your own domain name in names, instead of $publisher')
    .option('-y, --yes', 'change documents that differ from the service without asking')
    .option('--force', 'like --yes; files that cannot be read are ignored, or replaced')
    .option('--diff', 'show the lines that would change, as a patch; change nothing')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom pull catalog
  vatom pull catalog --diff
  vatom pull catalog --template '$publisher::Coffee::v1' --yes
  vatom pull /tmp/before --keep-publisher --json

If documents differ from the service, because of your edits or of somebody
else's, it shows the differences and asks. Without a terminal it then writes
nothing, unless you give --yes.`,
    )
    .action(async (dir: string, options: PullOptions) =>
      (await import('../catalog/pull/pull.ts')).pull(dir, options, context),
    )
