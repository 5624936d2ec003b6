import type { Snapshots } from '../../server/snapshots/snapshots.ts'
import type { Context } from '../context.ts'
import { snapshotFolder } from '../dirs.ts'
import { usage } from '../failure/failure.ts'
import { needLocal, withLocal } from './local.ts'

/** Refuses names that no snapshot can have, and contexts that have none. */
export async function needSnapshots(context: Context, name?: string): Promise<void> {
  if (name !== undefined && !/^\w[\w.-]{0,63}$/.test(name))
    throw usage('A snapshot name has letters, digits and . _ - only', 'for example before-launch')
  await needLocal('Snapshots are', context)
}

/** Does work with the snapshots of the local context. */
export const withSnapshots = <T>(context: Context, work: (snapshots: Snapshots) => Promise<T>): Promise<T> =>
  withLocal(context, async (service) => work(await service.snapshots(snapshotFolder(context.dirs))))
