import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { checkSnapshotName, counted, unlessTaken, withSnapshots } from '../../service/snapshots.ts'

interface SaveOptions {
  readonly force?: boolean
}

export const saveCommand = (context: Context): Command =>
  new Command('save')
    .summary('save a copy of the data of the local service')
    .description(
      'Save a copy of all data of the local context at one moment: records, vAtoms, users and assets. This also works while vatom serve runs. Sessions are not copied.',
    )
    .argument('<name>', 'name for the snapshot')
    .option('--force', 'replace the snapshot of that name')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom snapshot save before-launch\n  vatom snapshot save nightly --force')
    .action((name: string, options: SaveOptions) => save(name, options, context))

async function save(name: string, { force }: SaveOptions, context: Context): Promise<void> {
  checkSnapshotName(name)
  const saved = await withSnapshots(context, (snapshots) =>
    would(
      `save ${name}`,
      unlessTaken(snapshots.save(name, { replace: force === true }), 'replace it with --force, or choose another name'),
    ),
  )
  const { output } = context
  output.report(saved, () => [`Saved ${counted(name, saved)}`])
}
