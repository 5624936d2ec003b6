import { Command } from 'commander'
import type { Context } from '../context.ts'
import { localDatabase } from '../dirs.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { styled } from '../io/text.ts'
import { confirmed, type YesOption } from '../kinds/confirmations.ts'
import { withOwnData } from '../service/local.ts'

export const command = (context: Context): Command =>
  new Command('reset')
    .description(
      'Delete all data of the local context, or of the temporary service within vatom serve -- COMMAND: records, vAtoms, users and assets. Its publishers are created anew and stay signed in; snapshots are not deleted.',
    )
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom snapshot save before-reset && vatom reset --yes\n  vatom reset --yes')
    .action((options: YesOption) => reset(options, context))

async function reset({ yes }: YesOption, context: Context): Promise<void> {
  await withOwnData('reset is', context, async ({ place, reset }) => {
    await confirmed(`Delete all data of ${place}?`, '--yes', yes, context)
    await context.announce()
    await would(`empty ${place}`, reset())
    context.output.result({ reset: await emptied(context) }, () => [styled`Deleted all data of ${place}.`])
  })
}

/** What was emptied: the file of the local database, or the address of a service. */
async function emptied({ target, dirs }: Context): Promise<string> {
  const chosen = await target()
  return chosen.kind === 'local' ? localDatabase(dirs) : chosen.baseUrl
}
