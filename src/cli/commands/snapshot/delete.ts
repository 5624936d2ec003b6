import { Command } from 'commander'
import type { Snapshot } from '../../../contract/api/snapshot.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { checkUnchanged, confirmed, type YesOption } from '../../kinds/confirmations.ts'
import { checkSnapshotName, withSnapshots } from '../../service/snapshots.ts'

export const deleteCommand = (context: Context): Command =>
  new Command('delete')
    .summary('delete snapshots of the local service')
    .description('Delete snapshots, all or none if one does not exist. The data of the local context is not changed.')
    .argument('<name...>', 'name of a snapshot; or several')
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom snapshot delete before-launch --yes')
    .action((names: string[], options: YesOption) => remove([...new Set(names)], options, context))

async function remove(names: readonly string[], { yes }: YesOption, context: Context): Promise<void> {
  for (const name of names) checkSnapshotName(name)
  const deleted = await withSnapshots(context, async (snapshots) => {
    const found = await each(names, snapshots.get)
    const what = textOf(found)
    await confirmed(`Delete ${what}?`, '--yes', yes, context)
    if (!yes) for (const one of found) checkUnchanged(`the snapshot ${one.name}`, one, await snapshots.get(one.name))
    return would(`delete ${what}`, each(names, snapshots.remove))
  })
  const [only, ...others] = deleted
  context.output.report(others.length === 0 ? only : deleted, () => names.map((name) => `Deleted the snapshot ${name}`))
}

/** What is made of each name, one after the other. */
async function each<T>(names: readonly string[], make: (name: string) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (const name of names) made.push(await make(name))
  return made
}

/** Snapshots as a question names them. */
function textOf(snapshots: readonly Snapshot[]): string {
  const texts = snapshots.map(({ name, when_saved }) => `${name} of ${when_saved}`)
  return texts.length === 1 ? `the snapshot ${texts.join()}` : `${texts.length} snapshots: ${texts.join(', ')}`
}
