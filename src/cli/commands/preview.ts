import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { numberFrom } from '../io/option-values.ts'
import type { PreviewOptions } from '../preview/preview.ts'

export const command = (context: Context): Command =>
  new Command('preview')
    .description(
      'Show in a browser how viewers draw the vAtoms of a catalog: every view mode on web, iOS and Android, with the face that is picked and why. Nothing needs to be published, and no service is used. When a file is saved the page shows it at once, with the problems that validate finds. Resources may be files of the catalog.',
    )
    .argument('[path...]', 'YAML or JSON files, folders or globs; by default the catalog in this folder')
    .addOption(
      new Option('--port <port>', 'port to listen on; 0 picks a free one').default(0).argParser(numberFrom(0, 65_535)),
    )
    .option('--no-open', 'print the link, and do not open it in a browser')
    .option(
      '--out <folder>',
      'write a PNG of each face into a folder, and one of all of them, with the Chromium of this machine, in place of those of an earlier run; then end',
    )
    .option('--terminal', 'show the faces in this terminal, if it is one that shows pictures; then end')
    .option(
      '--changed <plan>',
      'with --out or --terminal, only what a plan creates or changes: one saved by plan --out, or plan --json in a file or - for standard input',
    )
    .option(
      '--allow-private-addresses',
      'with --out, also draw what only this machine or its network can reach, such as http://localhost:3000/cup.png',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  vatom preview shop\n  vatom preview coffee.yaml coffee.faces.yaml --no-open\n  vatom preview shop --out pictures\n  vatom preview shop --out pictures --changed review.plan',
    )
    .action(async (paths: string[], options: PreviewOptions) => {
      const { preview } = await import('../preview/preview.ts')
      return preview(paths, options, context)
    })
