import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { confirmed, type YesOption } from '../../kinds/confirmations.ts'
import { checkSnapshotName, contentsText, counted, withSnapshots } from '../../service/snapshots.ts'

export const loadCommand = (context: Context): Command =>
  new Command('load')
    .summary('replace the data of the local service with a snapshot')
    .description(
      'Replace all data of the local context, or of the temporary service within vatom serve -- COMMAND, with a snapshot, in one step. This also works while vatom serve runs: apps see either the old data or the new, and users who are in both stay signed in.',
    )
    .argument('<name>', 'name of a snapshot')
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom snapshot load before-launch --yes')
    .action((name: string, options: YesOption) => load(name, options, context))

async function load(name: string, { yes }: YesOption, context: Context): Promise<void> {
  checkSnapshotName(name)
  const { loaded, replaced } = await withSnapshots(context, async (snapshots, place, contents) => {
    const replaced = await contents()
    const snapshot = await snapshots.get(name)
    const { when_saved } = snapshot
    const question = `Replace ${counted(`all data of ${place}`, replaced)} by the snapshot ${name} of ${when_saved}?`
    await confirmed(question, '--yes', yes, context)
    await context.announce()
    const loaded = await would(`load ${counted(`${name} of ${when_saved}`, snapshot)}`, snapshots.load(name))
    return { loaded, replaced }
  })
  const earlier = contentsText(replaced)
  context.output.result({ ...loaded, replaced }, () => [
    `Loaded ${counted(name, loaded)}`,
    ...(earlier === '' ? [] : [`It replaced ${earlier}`]),
  ])
}
