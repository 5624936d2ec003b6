import type { Contents } from '../../contract/api/snapshot.ts'
import type { Snapshots } from '../../server/snapshots/snapshots.ts'
import type { Context } from '../context.ts'
import { contentsText, counted } from './snapshots.ts'

/** What may be saved before all data is replaced or deleted. */
interface Saving {
  /** The command that replaces or deletes. */
  readonly command: 'reset' | 'load'
  /** The name that a flag gives, and whether nothing is to be asked. */
  readonly options: { readonly snapshot?: string; readonly yes?: boolean }
  readonly contents: Contents
  readonly snapshots: () => Promise<Pick<Snapshots, 'save'>>
}

/** Saves a snapshot first, if a flag names one, or a person at a terminal wants one. */
export async function saveBefore({ command, options, contents, snapshots }: Saving, context: Context): Promise<void> {
  const name = options.snapshot ?? (options.yes ? undefined : await offeredName(command, contents, context))
  if (name === undefined) return
  if (context.dryRun) return context.output.note(`Would save the snapshot ${name} first`)
  const saved = await (await snapshots()).save(name, { replace: false })
  context.output.complain([
    `Saved ${counted(name, saved)}. To get it back: ${context.output.hint(`vatom snapshot load ${name}`)}`,
  ])
}

/** Asks on a terminal whether to save a snapshot, if there is anything to save; its name if so. */
async function offeredName(
  command: string,
  contents: Contents,
  { host, prompt }: Context,
): Promise<string | undefined> {
  const held = contentsText(contents)
  if (!held || !prompt.canAsk()) return undefined
  const name = `before-${command}-${host.now().toISOString().slice(0, 19).replaceAll(':', '-')}`
  const choices = { save: `yes, as ${name}`, skip: 'no' } as const
  const question = `Save a snapshot of ${held} first?`
  return (await prompt.choose(question, '--snapshot', choices)) === 'skip' ? undefined : name
}
