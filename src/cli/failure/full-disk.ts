import { isDiskFull } from '../../file-system.ts'

/** What to do where a write failed because a disk is full; undefined for another reason. */
export const fullDiskHint = (cause: unknown): string | undefined =>
  isDiskFull(cause) ? 'make room on its disk' : undefined
