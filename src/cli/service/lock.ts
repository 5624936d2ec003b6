import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '../../file-system.ts'
import { ownMark } from '../../processes.ts'
import { holderOf, isUntouched, stillHolds } from './lock-holder.ts'

/** Milliseconds after which a process that cannot be looked up counts as ended. */
const staleAfter = 10_000
const retryAfter = 15
/** Milliseconds after which nobody waits any longer for a process that runs. */
const longestWait = 30_000

/** Another process took a lock over, as its holder was paused. */
class LockLost extends Error {}

/** A process holds a lock for too long. */
export class LockHeld extends Error {}

/**
 * Does work while no other process holds the same lock file. Directly before it puts in place what it has written, work calls
 * `confirm`: where another process has taken the lock over meanwhile, and may have written, all of it begins again. The lock
 * of a process that runs on this machine is not taken over. Throws a LockHeld if it has it for too long.
 */
export async function locked<T>(file: string, work: (confirm: () => void) => Promise<T>): Promise<T> {
  const owner = JSON.stringify({ ...ownMark(), work: randomUUID() })
  const isOurs = () => ownerOf(file) === owner
  const confirm = () => {
    if (!isOurs()) throw new LockLost()
  }
  await acquired(file, owner)
  try {
    return await work(confirm)
  } catch (error) {
    if (!(error instanceof LockLost)) throw error
  } finally {
    release(file, isOurs)
  }
  return locked(file, work)
}

/** Waits until the lock is ours. */
async function acquired(file: string, owner: string): Promise<void> {
  const end = performance.now() + longestWait
  while (!acquire(file, owner)) {
    if (performance.now() > end)
      throw new LockHeld(`process ${holderOf(file)?.pid} has been writing it for ${longestWait / 1000} s`)
    await wait(retryAfter)
  }
}

function acquire(file: string, owner: string): boolean {
  try {
    writeOwner(openSync(file, 'wx', 0o600), file, owner)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (isStale(file)) rmSync(file, { force: true })
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

/** What is done stays done where the lock cannot be removed: others see that its process has ended. */
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

/** Whether a lock was left behind; of earlier versions, its file does not say by which process. */
function isStale(file: string): boolean {
  const holder = holderOf(file)
  return holder === undefined ? isUntouched(file, staleAfter) : !stillHolds(holder, file, staleAfter)
}
