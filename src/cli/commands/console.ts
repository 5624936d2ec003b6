import { Command, Option } from 'commander'
import type { ConsoleOptions } from '../console/console.ts'
import type { Context } from '../context.ts'
import { numberFrom } from '../io/option-values.ts'

export const command = (context: Context): Command =>
  new Command('console')
    .description(
      'Open the console of the local service in a browser: its requests as they come, with what was sent and answered, its users with their vAtoms, on which you can act, its catalog, searches, codes and pins, the ledger, and the controls for tests. For the local context, it prints a new link to a vatom serve that serves the data of that context; if none runs, it serves this data itself until Ctrl-C. For another service on this machine, it prints a new link to that one.',
    )
    .addOption(
      new Option(
        '--port <port>',
        'serve the data of the local context at this port, even if a vatom serve runs; 0 picks a free one',
      ).argParser(numberFrom(0, 65_535)),
    )
    .option('--no-open', 'print the link, and do not open it in a browser')
    .addHelpText(
      'after',
      '\nExamples:\n  vatom console\n  vatom console --no-open\n  vatom console --base-url http://127.0.0.1:4100 --app-id local',
    )
    .action(async (options: ConsoleOptions) => {
      const { openConsole } = await import('../console/console.ts')
      return openConsole(options, context)
    })
