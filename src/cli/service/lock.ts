import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '../../file-system.ts'

/** Milliseconds after which the process of a lock counts as ended. */
const staleAfter = 10_000
const retryAfter = 15

/** Does work while no other process holds the same lock file. */
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
    if (codeOf(error) !== 'EEXIST') throw error
    if (isStale(file)) rmSync(file, { force: true })
    return false
  }
}

function isStale(file: string): boolean {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  // After the clock was set back, the age is negative.
  return Math.abs(age) > staleAfter
}
