import { lstatSync, readFileSync, statSync } from 'node:fs'
import * as z from 'zod/v4'
import { isHere, type ProcessMark, stillRuns } from '../../processes.ts'

const Holder = z.object({
  pid: z.int().positive(),
  host: z.string(),
  started: z.string().optional(),
  ids: z.string().optional(),
})

/** The process that holds a lock, by its file; undefined if it is free or its file is damaged. */
export function holderOf(file: string): ProcessMark | undefined {
  try {
    return lstatSync(file).isFile() ? Holder.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a process still holds a lock. One of this machine is looked up, because it may have been paused. One of another
 * machine or container, or with an unknown start, counts as ended so many milliseconds after its file was touched.
 */
export function stillHolds(holder: ProcessMark, file: string, staleAfter: number): boolean {
  const isFresh = !isUntouched(file, staleAfter)
  if (!isHere(holder)) return isFresh
  return stillRuns(holder) && (holder.started !== undefined || isFresh)
}

/** Whether a file is older than so many milliseconds, or newer by as many: the clock may have been set back. */
export function isUntouched(file: string, milliseconds: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > milliseconds
}
