import { Command } from 'commander'
import type { Contents } from '../../contract/api/snapshot.ts'
import type { Context } from '../context.ts'
import { localDatabase } from '../dirs.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { styled } from '../io/text.ts'
import { confirmed, type YesOption } from '../kinds/confirmations.ts'
import { type OwnData, withOwnData } from '../service/local.ts'
import { checkSnapshotName, contentsText, counted } from '../service/snapshots.ts'

export const command = (context: Context): Command =>
  new Command('reset')
    .description(
      'Delete all data of the local context, or of the temporary service within vatom serve -- COMMAND: records, vAtoms, users and assets. Its publishers are created anew and stay signed in; snapshots are not deleted. On a terminal it offers to save a snapshot first.',
    )
    .option('--snapshot <name>', 'save a snapshot of this name first')
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom reset --snapshot before-reset --yes\n  vatom reset --yes')
    .action((options: ResetOptions) => reset(options, context))

interface ResetOptions extends YesOption {
  readonly snapshot?: string
}

async function reset({ yes, snapshot }: ResetOptions, context: Context): Promise<void> {
  if (snapshot !== undefined) checkSnapshotName(snapshot)
  await withOwnData('reset is', context, async ({ place, contents, reset, snapshots }) => {
    const deleted = await contents()
    const all = counted(`all data of ${place}`, deleted)
    const name = snapshot ?? (yes ? undefined : await offeredName(deleted, context))
    if (name !== undefined) await save(name, snapshots, context)
    await confirmed(`Delete ${all}?`, '--yes', yes, context)
    await context.announce()
    await would(`delete ${all}`, reset())
    context.output.result({ reset: await emptied(context), deleted }, () => [styled`Deleted ${all}.`])
  })
}

/** Asks on a terminal whether to save a snapshot of what will be deleted, if there is anything; its name if so. */
async function offeredName(contents: Contents, { host, prompt }: Context): Promise<string | undefined> {
  const held = contentsText(contents)
  if (!held || !prompt.canAsk()) return undefined
  const name = `before-reset-${host.now().toISOString().slice(0, 19).replaceAll(':', '-')}`
  const choices = { save: `yes, as ${name}`, skip: 'no' } as const
  const question = `Save a snapshot of ${held} first?`
  return (await prompt.choose(question, '--snapshot', choices)) === 'skip' ? undefined : name
}

async function save(name: string, snapshots: OwnData['snapshots'], { dryRun, output }: Context): Promise<void> {
  if (dryRun) return output.note(`Would save the snapshot ${name} first`)
  const saved = await (await snapshots()).save(name, { replace: false })
  output.complain([`Saved ${counted(name, saved)}. To get it back: vatom snapshot load ${name}`])
}

/** What was emptied: the file of the local database, or the address of a service. */
async function emptied({ target, dirs }: Context): Promise<string> {
  const chosen = await target()
  return chosen.kind === 'local' ? localDatabase(dirs) : chosen.baseUrl
}
