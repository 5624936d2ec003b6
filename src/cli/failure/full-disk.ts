import { codeOf } from '../../file-system.ts'

/** What to do where a write failed because a disk is full; undefined for another reason. */
export const fullDiskHint = (cause: unknown): string | undefined =>
  codeOf(cause) === 'ENOSPC' ? 'make room on its disk' : undefined
