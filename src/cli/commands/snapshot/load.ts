import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { declined } from '../../kinds/gate.ts'
import { contentsText, needSnapshots, withSnapshots } from '../../service/snapshots.ts'

interface LoadOptions {
  readonly yes?: boolean
}

export const loadCommand = (context: Context, run = load): Command =>
  new Command('load')
    .summary('put a copy in the place of the state of the local service')
    .description(
      'Put a snapshot in the place of everything that the local context holds, at once, also while it is served: apps see the one state or the other, and users of both stay signed in.',
    )
    .argument('<name>', 'a snapshot')
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom snapshot load before-launch --yes')
    .action((name: string, options: LoadOptions) => run(name, options, context))

export async function load(name: string, { yes }: LoadOptions, context: Context): Promise<void> {
  await needSnapshots(context, name)
  const loaded = await withSnapshots(context, async (snapshots) => {
    const snapshot = await snapshots.get(name)
    const { when_saved } = snapshot
    const question = `Replace all that the local context holds by the snapshot ${name} of ${when_saved}?`
    if (!(await context.prompt.confirm(question, '--yes', yes))) throw declined()
    await context.announce()
    return would(`load ${name} of ${when_saved}: ${contentsText(snapshot)}`, snapshots.load(name))
  })
  context.output.result(loaded, () => [`Loaded ${name}: ${contentsText(loaded)}`])
}
