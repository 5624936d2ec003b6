import { Command } from 'commander'
import type { Context } from '../context.ts'
import { localDatabase } from '../dirs.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { styled } from '../io/text.ts'
import { confirmed, type YesOption } from '../kinds/confirmations.ts'
import { type OwnData, withOwnData } from '../service/local.ts'
import { contentsText } from '../service/snapshots.ts'

export const command = (context: Context): Command =>
  new Command('reset')
    .description(
      'Delete all data of the local context, or of the temporary service within vatom serve -- COMMAND: records, vAtoms, users and assets. Its publishers are created anew and stay signed in; snapshots are not deleted. On a terminal it offers to save a snapshot first.',
    )
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom snapshot save before-reset && vatom reset --yes\n  vatom reset --yes')
    .action((options: YesOption) => reset(options, context))

async function reset({ yes }: YesOption, context: Context): Promise<void> {
  await withOwnData('reset is', context, async ({ place, reset, snapshots }) => {
    if (!yes && context.prompt.canAsk()) await offerSnapshot(snapshots, context)
    await confirmed(`Delete all data of ${place}?`, '--yes', yes, context)
    await context.announce()
    await would(`empty ${place}`, reset())
    context.output.result({ reset: await emptied(context) }, () => [styled`Deleted all data of ${place}.`])
  })
}

/** Asks whether to save a snapshot before all data is deleted, and says what is in it. */
async function offerSnapshot(snapshots: OwnData['snapshots'], { host, output, prompt }: Context): Promise<void> {
  const name = `before-reset-${host.now().toISOString().slice(0, 19).replaceAll(':', '-')}`
  const choices = { save: `yes, as ${name}`, skip: 'no' } as const
  if ((await prompt.choose('Save a snapshot first?', '--yes', choices)) === 'skip') return
  const saved = await (await snapshots()).save(name, { replace: false })
  output.complain([`Saved ${contentsText(saved)}. To get it back: vatom snapshot load ${name}`])
}

/** What was emptied: the file of the local database, or the address of a service. */
async function emptied({ target, dirs }: Context): Promise<string> {
  const chosen = await target()
  return chosen.kind === 'local' ? localDatabase(dirs) : chosen.baseUrl
}
