import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { checkUnchanged, confirmed, type YesOption } from '../../kinds/confirmations.ts'
import { checkSnapshotName, withSnapshots } from '../../service/snapshots.ts'

export const deleteCommand = (context: Context): Command =>
  new Command('delete')
    .summary('delete a snapshot of the local service')
    .description('Delete a snapshot. The data of the local context is not changed.')
    .argument('<name>', 'name of a snapshot')
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom snapshot delete before-launch --yes')
    .action((name: string, options: YesOption) => remove(name, options, context))

async function remove(name: string, { yes }: YesOption, context: Context): Promise<void> {
  checkSnapshotName(name)
  const deleted = await withSnapshots(context, async (snapshots) => {
    const snapshot = await snapshots.get(name)
    const what = `the snapshot ${name} of ${snapshot.when_saved}`
    await confirmed(`Delete ${what}?`, '--yes', yes, context)
    if (!yes) checkUnchanged(`the snapshot ${name}`, snapshot, await snapshots.get(name))
    return would(`delete ${what}`, snapshots.remove(name))
  })
  context.output.result(deleted, () => [`Deleted the snapshot ${name}`])
}
