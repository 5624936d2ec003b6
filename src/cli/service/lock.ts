import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '../../file-system.ts'

/** Milliseconds after which the process of a lock counts as ended: it may only be paused, or wait for its disk. */
const staleAfter = 10_000
const retryAfter = 15

/** Another process took a lock over, as its holder was paused. */
class LockLost extends Error {}

/**
 * Does work while no other process holds the same lock file. Directly before it puts in place what it has written, work calls
 * `confirm`: where another process has taken the lock over meanwhile, and may have written, all of it begins again. It has
 * twice the patience then: where a disk is slow, one of the two comes to its end.
 */
export async function locked<T>(
  file: string,
  work: (confirm: () => void) => Promise<T>,
  patience = staleAfter,
): Promise<T> {
  const owner = randomUUID()
  const isOurs = () => ownerOf(file) === owner
  const confirm = () => {
    if (!isOurs()) throw new LockLost()
  }
  while (!acquire(file, owner, patience)) await wait(retryAfter)
  try {
    return await work(confirm)
  } catch (error) {
    if (!(error instanceof LockLost)) throw error
  } finally {
    release(file, isOurs)
  }
  return locked(file, work, 2 * patience)
}

function acquire(file: string, owner: string, patience: number): boolean {
  try {
    writeOwner(openSync(file, 'wx', 0o600), file, owner)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (isUntouched(file, patience)) rmSync(file, { force: true })
    return false
  }
}

/** Where a disk has no room for the owner, others do not wait for a lock that nobody holds. */
function writeOwner(lock: number, file: string, owner: string): void {
  try {
    writeFileSync(lock, owner)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(lock)
  }
}

/** What is done stays done where the lock cannot be removed: after a while, it is taken over. */
function release(file: string, isOurs: () => boolean): void {
  try {
    if (isOurs()) rmSync(file, { force: true })
  } catch {
    // Nothing else is to be tidied up.
  }
}

/** Who holds a lock; undefined if nobody does. */
function ownerOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

function isUntouched(file: string, milliseconds: number): boolean {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  // After the clock was set back, the age is negative.
  return Math.abs(age) > milliseconds
}
