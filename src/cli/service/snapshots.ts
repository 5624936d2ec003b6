import type { Snapshot, Snapshots } from '../../server/snapshots/snapshots.ts'
import type { Context } from '../context.ts'
import { snapshotFolder } from '../dirs.ts'
import { Would } from '../dry-run/would.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { needLocal, withLocal } from './local.ts'

/** Refuses names that no snapshot can have, and contexts that have none. */
export async function needSnapshots(context: Context, name?: string): Promise<void> {
  if (name !== undefined && !/^\w[\w.-]{0,63}$/.test(name))
    throw usage('A snapshot name can only have letters, digits and . _ -', 'for example before-launch')
  await needLocal('Snapshots are', context)
}

/** Does work with the snapshots of the local context. */
export const withSnapshots = <T>(context: Context, work: (snapshots: Snapshots) => Promise<T>): Promise<T> =>
  withLocal(context, async (service) => {
    const snapshots = await service.snapshots(snapshotFolder(context.dirs))
    return work(context.dryRun ? withoutWrites(snapshots) : snapshots)
  })

/** Snapshots for dry runs: a write throws Would, or the failure that would refuse it. */
const withoutWrites = (snapshots: Snapshots): Snapshots => ({
  ...snapshots,
  save: async (name, { replace }) => {
    const taken = (await snapshots.list()).some((one) => one.name === name)
    if (!taken || replace) throw new Would(`save ${name}`, taken ? 'updated' : 'created')
    throw new Failure('snapshot_exists', exit.refused, `A snapshot named ${name} already exists`, {
      hint: 'replace it with --force, or choose another name',
    })
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

const nouns = { templates: 'template', variations: 'variation', vatoms: 'vAtom', assets: 'asset' } as const

/** The contents of a snapshot: `2 templates, 1 variation, 100 vAtoms`. */
export function contentsText(snapshot: Snapshot): string {
  const parts = (Object.keys(nouns) as (keyof typeof nouns)[])
    .filter((key) => snapshot[key] > 0)
    .map((key) => `${snapshot[key]} ${nouns[key]}${snapshot[key] === 1 ? '' : 's'}`)
  return parts.join(', ') || 'nothing yet'
}
