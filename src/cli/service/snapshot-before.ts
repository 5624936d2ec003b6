import type { Contents, HeldData } from '../../contract/api/snapshot.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import type { Snapshots } from '../../server/snapshots/snapshots.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { askAgain, changedSinceQuestion, type YesOption } from '../kinds/confirmations.ts'
import type { OwnData } from './local.ts'
import { contentsText, counted, unlessTaken } from './snapshots.ts'

/** How a command that replaces or deletes all data is called. */
export interface ReplacingOptions extends YesOption {
  /** The name of a snapshot that is saved first. */
  readonly snapshot?: string
}

/** All data that is replaced or deleted, and what may be saved before. */
interface Replacing extends Pick<OwnData, 'contents'> {
  readonly command: 'reset' | 'load'
  readonly options: ReplacingOptions
  /** What there was when the command began, which its question names. */
  readonly held: HeldData
  readonly snapshots: () => Promise<Pick<Snapshots, 'save'>>
}

/** Replaces or deletes all data; throws `dataChanged`, and does nothing, if the data is not of the expected version. */
type Replace<T> = (expected?: string) => Promise<T>

/**
 * Saves a snapshot first, if a flag names one, or a person at a terminal wants one. The function that it returns then replaces
 * or deletes only what was shown and saved: all that there is only where nobody is asked, and nothing saved.
 */
export async function saveBefore(replacing: Replacing, context: Context) {
  const { options, held } = replacing
  if (options.yes && options.snapshot === undefined) return <T>(replace: Replace<T>): Promise<T> => replace()
  const version = versionOf(held)
  const name = options.snapshot ?? (options.yes ? undefined : await offeredName(replacing, context))
  if (name !== undefined) await save(name, replacing, context)
  return <T>(replace: Replace<T>): Promise<T> => {
    if (!options.yes || name === undefined)
      return replace(version).catch(ifChanged(() => Promise.reject(changedWhileAsked(options.snapshot))))
    return replaceSaved(name, replace, replacing, context)
  }
}

/** The version of what there is; throws for a service that says none, so that what changes meanwhile would be lost. */
function versionOf({ version }: HeldData): string {
  if (version !== undefined) return version
  throw new Failure(
    'outdated',
    exit.refused,
    'Nothing was done: the service is of an earlier version, and does not say whether its data changes meanwhile',
    { hint: 'start it again with this version of vatom; to replace or delete whatever it has then: --yes alone' },
  )
}

/** Replaces what a snapshot was saved of; as long as that changes before it is replaced, the snapshot is saved again. */
async function replaceSaved<T>(name: string, replace: Replace<T>, replacing: Replacing, context: Context): Promise<T> {
  const attempt = (version: string, saves: number): Promise<T> =>
    replace(version).catch(
      ifChanged(async () => {
        if (saves === limits.snapshotSaves) throw changesTooFast(replacing.command, name)
        const now = versionOf(await replacing.contents())
        await save(name, replacing, context, { replace: true })
        return await attempt(now, saves + 1)
      }),
    )
  return await attempt(versionOf(replacing.held), 1)
}

/** For what rejects: does other work if that is because the data has changed. */
const ifChanged =
  <T>(work: () => Promise<T>) =>
  (reason: unknown): Promise<T> =>
    at(reason, 'kind') === 'dataChanged' ? work() : Promise.reject(reason)

/** The name of a flag is that of the snapshot which was saved before the question. */
const changedWhileAsked = (saved: string | undefined) =>
  changedSinceQuestion(
    'the data',
    `${saved === undefined ? '' : `the snapshot ${saved} stays: name another one, and `}${askAgain}; if apps change the data all the time, stop them first, or have nothing asked: --snapshot NAME --yes`,
  )

const done = { reset: 'deleted', load: 'replaced' }

const changesTooFast = (command: Replacing['command'], name: string) =>
  new Failure(
    'changed_meanwhile',
    exit.refused,
    `Nothing was ${done[command]}: the data changes faster than it can be saved in a snapshot`,
    { hint: `stop what changes it, such as apps; then run the command again, with another name than ${name}` },
  )

/** Saves a snapshot, or says that it would; in place of the one of that name that this run has saved, if it `replace`s that. */
async function save(
  name: string,
  { snapshots }: Replacing,
  { dryRun, output }: Context,
  { replace } = { replace: false },
): Promise<void> {
  if (dryRun) return output.note(`Would save the snapshot ${name} first`)
  const instead = `choose another name, or delete that snapshot: vatom snapshot delete ${name}`
  const saved = await unlessTaken((await snapshots()).save(name, { replace }), instead)
  output.complain([
    replace
      ? `Saved ${counted(name, saved)}, again: the data had changed.`
      : `Saved ${counted(name, saved)}. To get it back: ${output.hint(`vatom snapshot load ${name}`)}`,
  ])
}

/** Asks on a terminal whether to save a snapshot, if there is anything to save; its name if so. */
async function offeredName(
  { command, held }: { readonly command: string; readonly held: Contents },
  { host, prompt }: Context,
): Promise<string | undefined> {
  const text = contentsText(held)
  if (!text || !prompt.canAsk()) return undefined
  const name = `before-${command}-${host.now().toISOString().slice(0, 19).replaceAll(':', '-')}`
  const choices = { save: `yes, as ${name}`, skip: 'no' } as const
  const question = `Save a snapshot of ${text} first?`
  return (await prompt.choose(question, '--snapshot', choices)) === 'skip' ? undefined : name
}
