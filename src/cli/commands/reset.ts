import { Command } from 'commander'
import type { Context } from '../context.ts'
import { localDatabase } from '../dirs.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { confirmed, type YesOption } from '../kinds/confirmations.ts'
import { needLocal, withLocal } from '../service/local.ts'

export const command = (context: Context): Command =>
  new Command('reset')
    .description(
      'Delete all data of the local context: records, vAtoms, users and assets. Its publishers are created anew and stay signed in; snapshots are not deleted.',
    )
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom snapshot save before-reset && vatom reset --yes\n  vatom reset --yes')
    .action((options: YesOption) => reset(options, context))

async function reset({ yes }: YesOption, context: Context): Promise<void> {
  await needLocal('reset is', context)
  await confirmed('Delete all data of the local context?', '--yes', yes, context)
  await context.announce()
  await withLocal(context, (service) => would('empty the local context', service.reset()))
  context.output.result({ reset: localDatabase(context.dirs) }, () => ['The local context is empty.'])
}
