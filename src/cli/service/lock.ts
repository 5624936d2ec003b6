import { randomUUID } from 'node:crypto'
import { closeSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '../../file-system.ts'
import { isHere, ownMark, stillRuns } from '../../processes.ts'
import { regularText } from '../../regular-file.ts'
import { exit, Failure, interrupted } from '../failure/failure.ts'
import { quoted } from '../io/text.ts'
import { markIn } from './process-file.ts'

/** Milliseconds after which a process that does not let go of a lock is waited for no longer: it may only be paused, or wait for its disk. */
const staleAfter = 10_000
const retryAfter = 15

interface LockOptions {
  /** Ends the wait for another process, before anything is changed. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds to wait for one that does not let go of the lock. */
  readonly patience?: number
}

/** Another process took a lock over, as its holder was paused. */
class LockLost extends Error {}

/**
 * Does work while no other process holds the same lock file. Directly before it puts in place what it has written, work calls
 * `confirm`: where another process has taken the lock over meanwhile, and may have written, all of it begins again. It has
 * twice the patience then: where a disk is slow, one of the two comes to its end. Throws where the signal ends the wait.
 */
export async function locked<T>(
  file: string,
  work: (confirm: () => void) => Promise<T>,
  { signal, patience = staleAfter }: LockOptions = {},
): Promise<T> {
  const owner = JSON.stringify({ ...ownMark(), work: randomUUID() })
  const isOurs = () => ownerOf(file) === owner
  const confirm = () => {
    if (!isOurs()) throw new LockLost()
  }
  await acquired(file, owner, patience, signal)
  try {
    return await work(confirm)
  } catch (error) {
    if (!(error instanceof LockLost)) throw error
  } finally {
    release(file, isOurs)
  }
  return locked(file, work, { signal, patience: 2 * patience })
}

/**
 * Waits until the lock is ours. The lock of a process of this machine that has ended is taken over, and one that stays the
 * same for as long as the patience lasts, by the clock of this process: that of the file system may differ.
 */
async function acquired(file: string, owner: string, patience: number, signal?: AbortSignal): Promise<void> {
  let seen: string | undefined
  let since = performance.now()
  while (!acquire(file, owner)) {
    if (isFolder(file)) throw folderInPlace(file)
    if (signal?.aborted) throw interrupted('interrupted while another command was waited for: nothing was changed')
    const other = ownerOf(file)
    if (other === undefined || other !== seen) since = performance.now()
    seen = other
    if (hasEnded(other) || performance.now() - since > patience) rmSync(file, { force: true })
    else await wait(retryAfter)
  }
}

function acquire(file: string, owner: string): boolean {
  try {
    writeOwner(openSync(file, 'wx', 0o600), file, owner)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  }
}

const isFolder = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true

const folderInPlace = (file: string) =>
  new Failure('config_unusable', exit.refused, `${file} cannot be written: a folder is in its place`, {
    hint: `remove the folder: rm -r ${quoted(file)}`,
  })

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

/** Who holds a lock; undefined if nobody does, and empty where it does not say, as a link to nothing. */
function ownerOf(file: string): string | undefined {
  try {
    return regularText(file) ?? ''
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return lstatSync(file, { throwIfNoEntry: false }) && ''
  }
}

/** Whether an owner is a process of this machine that has ended. */
function hasEnded(owner = ''): boolean {
  const mark = markIn(owner)
  return mark !== undefined && isHere(mark) && !stillRuns(mark)
}
