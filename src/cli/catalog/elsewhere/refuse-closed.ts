import { letRead } from '../closed.ts'
import type { PruneOptions } from '../options.ts'
import { refuseUnread } from '../unread.ts'

/** Throws a usage error for a run that deletes where a folder of another catalog is closed to this user. */
export const refuseClosed = (folder: string, options: PruneOptions) =>
  refuseUnread(folder, ', of another catalog, cannot be read', letRead, options)
