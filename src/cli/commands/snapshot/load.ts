import { Command } from 'commander'
import { nameList } from '../../../contract/schema/suggest.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { styled } from '../../io/text.ts'
import { checkUnchanged, confirmed } from '../../kinds/confirmations.ts'
import { type ReplacingOptions, saveBefore } from '../../service/snapshot-before.ts'
import { checkSnapshotName, contentsText, counted, withSnapshots } from '../../service/snapshots.ts'

export const loadCommand = (context: Context): Command =>
  new Command('load')
    .summary('replace the data of the local service with a snapshot')
    .description(
      'Replace all data of the local context, or of a temporary service that the environment or a context names, as vatom serve --memory and vatom serve -- COMMAND start it, with a snapshot, in one step. This also works while vatom serve runs: apps see either the old data or the new, and users who are in both stay signed in. Codes and pins that were sent are no longer valid. On a terminal it offers to save a snapshot of the present data first.',
    )
    .argument('<name>', 'name of a snapshot')
    .option('--snapshot <name>', 'save a snapshot of this name first')
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom snapshot load before-launch --yes')
    .action((name: string, options: ReplacingOptions) => load(name, options, context))

/** A snapshot has no codes: with one, somebody else could sign in as its users. */
const withoutCodes =
  'Codes and pins that were sent before are no longer valid; to send a pin: vatom user reset-password USER'

async function load(name: string, options: ReplacingOptions, context: Context): Promise<void> {
  checkSnapshotName(name)
  if (options.snapshot !== undefined) checkSnapshotName(options.snapshot)
  const loaded = await withSnapshots(context, async (snapshots, place, contents) => {
    const held = await contents()
    const snapshot = await snapshots.get(name)
    const replaceSaved = await saveBefore(
      { command: 'load', options, held, contents, snapshots: async () => snapshots },
      context,
    )
    const present = `all data of ${place} (${contentsText(held) || 'none'})`
    const saved = `the snapshot ${name} of ${snapshot.when_saved} (${contentsText(snapshot) || 'empty'})`
    await confirmed(`Replace ${present} by ${saved}?`, '--yes', options.yes, context)
    if (!options.yes) checkUnchanged(`the snapshot ${name}`, snapshot, await snapshots.get(name))
    await context.announce()
    return await would(
      `replace ${present} by ${saved}`,
      replaceSaved((expected) => snapshots.load(name, expected)),
    )
  })
  const earlier = contentsText(loaded.replaced)
  const { output } = context
  const lines = [`Loaded ${counted(name, loaded)}`, ...(earlier === '' ? [] : [`It replaced ${earlier}`])]
  output.report(loaded, () => lines)
  if (loaded.users) output.note(withoutCodes)
  const damaged = (loaded.damaged_assets ?? []).map(({ id, name }) => `${name} (${id})`)
  if (damaged.length > 0)
    output.warn(
      styled`no whole file is left of ${plural(damaged.length, 'asset')}: ${nameList(damaged)}; put them back from a backup of the folder of the data, or upload them again, and write their new addresses where the old ones are: vatom asset upload FILE`,
    )
}
