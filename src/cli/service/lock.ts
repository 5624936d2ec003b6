import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds after which a lock is that of a process that has ended. */
const staleAfter = 10_000
const retryAfter = 15

/** Does work while no other process does work under the same lock file. */
export async function locked<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!acquire(file)) await wait(retryAfter)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function acquire(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (isStale(file)) rmSync(file, { force: true })
    return false
  }
}

function isStale(file: string): boolean {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  // A clock that was set back makes it look as if it came from the future.
  return Math.abs(age) > staleAfter
}
