import type { Contents, HeldData, Snapshot } from '../../contract/api/snapshot.ts'
import { at } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import { snapshotName, snapshotNameRule } from '../../contract/values.ts'
import type { Snapshots } from '../../server/snapshots/snapshots.ts'
import type { Context } from '../context.ts'
import { Would } from '../dry-run/would.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { hinted } from '../failure/hinted.ts'
import { withOwnData } from './local.ts'

/** Refuses names that no snapshot can have. */
export function checkSnapshotName(name: string): void {
  if (!snapshotName.test(name)) throw usage(snapshotNameRule, 'for example before-launch')
}

/** Does work with the snapshots of the service that a run uses, whose `place` messages name, and what it holds now. */
export const withSnapshots = <T>(
  context: Context,
  work: (snapshots: Snapshots, place: string, contents: () => Promise<HeldData>) => Promise<T>,
): Promise<T> =>
  withOwnData('Snapshots are', context, async (data) => {
    const snapshots = await data.snapshots()
    return work(context.dryRun ? withoutWrites(snapshots) : snapshots, data.place, data.contents)
  })

/** Snapshots for dry runs: a write throws Would, or the failure that would refuse it. */
const withoutWrites = (snapshots: Snapshots): Snapshots => ({
  ...snapshots,
  save: async (name, { replace }) => {
    const taken = (await snapshots.list()).some((one) => one.name === name)
    if (!taken || replace) throw new Would(`save ${name}`, taken ? 'updated' : 'created')
    throw new Failure('snapshot_exists', exit.refused, `A snapshot named ${name} already exists`)
  },
  load: async (name) => {
    await snapshots.get(name)
    throw new Would(`load ${name}`, 'updated')
  },
  remove: async (name) => {
    await snapshots.get(name)
    throw new Would(`delete ${name}`, 'deleted')
  },
})

/** A snapshot that is saved; if its name is taken, the failure says what the command can do instead. */
export async function unlessTaken(saved: Promise<Snapshot>, instead: string): Promise<Snapshot> {
  try {
    return await hinted(saved, { nameTaken: instead })
  } catch (error) {
    if (!(error instanceof Error) || at(error, 'code') !== 'snapshot_exists') throw error
    throw new Failure('snapshot_exists', exit.refused, error.message, { hint: instead, cause: error })
  }
}

const nouns = { templates: 'template', variations: 'variation', vatoms: 'vAtom', assets: 'asset', users: 'user' }

/** What holds something, and how much: `one: 2 templates, 100 vAtoms`; the name alone if there is nothing. */
export const counted = (name: string, contents: Partial<Contents>): string =>
  [name, contentsText(contents)].filter(Boolean).join(': ')

/** How much there is: `2 templates, 1 variation, 100 vAtoms`; empty if there is nothing. */
export const contentsText = (contents: Partial<Contents>): string =>
  Object.entries(nouns)
    .map(([key, noun]) => ({ count: Number(at(contents, key) ?? 0), noun }))
    .filter(({ count }) => count > 0)
    .map(({ count, noun }) => plural(count, noun) + (noun === nouns.users ? ' besides the publishers' : ''))
    .join(', ')
