import { Command } from 'commander'
import type { Contents } from '../../contract/api/snapshot.ts'
import type { Context } from '../context.ts'
import { localDatabase } from '../dirs.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { styled } from '../io/text.ts'
import { confirmed } from '../kinds/confirmations.ts'
import { withOwnData } from '../service/local.ts'
import { type ReplacingOptions, saveBefore } from '../service/snapshot-before.ts'
import { checkSnapshotName, counted } from '../service/snapshots.ts'

export const command = (context: Context): Command =>
  new Command('reset')
    .description(
      'Delete all data of the local context, or of a temporary service that the environment or a context names, as vatom serve --memory and vatom serve -- COMMAND start it: records, vAtoms, users and assets, and the copies of its database that upgrades made. Its publishers are created anew and stay signed in; snapshots are not deleted. On a terminal it offers to save a snapshot first.',
    )
    .option('--snapshot <name>', 'save a snapshot of this name first')
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom reset --snapshot before-reset --yes\n  vatom reset --yes')
    .action((options: ReplacingOptions) => reset(options, context))

async function reset(options: ReplacingOptions, context: Context): Promise<void> {
  const { yes, snapshot } = options
  if (snapshot !== undefined) checkSnapshotName(snapshot)
  await withOwnData('reset is', context, async ({ place, contents, upgradeCopies, reset, snapshots }) => {
    const held = await contents()
    const copies = await upgradeCopies()
    const all = (data: Contents) => counted(`all data of ${place}`, data) + copiesText(copies)
    const replaceSaved = await saveBefore({ command: 'reset', options, held, contents, snapshots }, context)
    await confirmed(`Delete ${all(held)}?`, '--yes', yes, context)
    await context.announce()
    const deleted = await would(`delete ${all(held)}`, replaceSaved(reset))
    const { output } = context
    const report = { reset: await emptied(context), deleted, ...(copies.length > 0 && { copies }) }
    output.report(report, () => [styled`Deleted ${all(deleted)}.`])
  })
}

/** That copies of the database are deleted, too; empty if there are none. */
function copiesText(copies: readonly string[]): string {
  if (copies.length === 0) return ''
  const what = copies.length === 1 ? 'the copy that an upgrade made' : 'the copies that upgrades made'
  return `, and ${what} (${copies.join(', ')})`
}

/** What was emptied: the file of the local database, or the address of a service. */
async function emptied({ target, dirs }: Context): Promise<string> {
  const chosen = await target()
  return chosen.kind === 'local' ? localDatabase(dirs) : chosen.baseUrl
}
