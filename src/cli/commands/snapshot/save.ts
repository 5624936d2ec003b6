import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { contentsText, needSnapshots, withSnapshots } from '../../service/snapshots.ts'

interface SaveOptions {
  readonly force?: boolean
}

export const saveCommand = (context: Context, run = save): Command =>
  new Command('save')
    .summary('copy the state of the local service')
    .description(
      'Copy what the local context holds: records, vAtoms, users and assets, as they are at one moment, also while it is served. Sessions are not copied.',
    )
    .argument('<name>', 'what to call the copy')
    .option('--force', 'replace the snapshot of that name')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom snapshot save before-launch\n  vatom snapshot save nightly --force')
    .action((name: string, options: SaveOptions) => run(name, options, context))

export async function save(name: string, { force }: SaveOptions, context: Context): Promise<void> {
  await needSnapshots(context, name)
  const saved = await withSnapshots(context, (snapshots) =>
    would(`save ${name}`, snapshots.save(name, { replace: force === true })),
  )
  context.output.result(saved, () => [`Saved ${name}: ${contentsText(saved)}`])
}
