import { ApiError } from '../../../contract/api/errors.ts'
import { isBusy, type Sqlite } from './sqlite.ts'
import { defaultPatience, retryAfter } from './writes.ts'

/** Runs synchronous work as one write: all of it is done, or none. */
export type Write = <T>(work: () => T) => Promise<T>

/** How a transaction ends whose work succeeded. */
type End = 'COMMIT' | 'ROLLBACK'

/**
 * Carries out asynchronous work in a transaction, and resolves with its value; what fails is rolled back. `work` writes
 * with the function it is given, which is refused once the transaction has ended.
 *
 * All of it happens in one turn of the event loop, so that no other request reads what is rolled back or is committed
 * with it, and others wait no longer than the work takes. Work that waits for anything but its own promises, such as a
 * file or another thread, cannot be completed in that turn: it is rolled back, and refused with `dryRunRefused`.
 */
export async function inOneTurn<T>(db: Sqlite, end: End, work: (write: Write) => Promise<T>): Promise<T> {
  const until = Date.now() + defaultPatience
  for (;;) {
    const outcome = await oneTurn(db, end, work)
    if ('value' in outcome) return outcome.value
    if (!outcome.isNotBegun || Date.now() > until) throw outcome.reason
    await new Promise((resolve) => setTimeout(resolve, retryAfter))
  }
}

type Outcome<T> =
  | { readonly value: T }
  | { readonly reason: unknown /** Whether another process has the lock. */; readonly isNotBegun?: true }

const unfinished = { reason: new ApiError('dryRunRefused') }

/** A turn of its own: nothing of other requests is left to be done in it. */
const oneTurn = <T>(db: Sqlite, end: End, work: (write: Write) => Promise<T>): Promise<Outcome<T>> =>
  new Promise((resolve) => {
    setImmediate(() => {
      try {
        db.exec('BEGIN IMMEDIATE')
      } catch (reason) {
        resolve(isBusy(reason) ? { reason: new ApiError('busy'), isNotBegun: true } : { reason })
        return
      }
      let outcome: Outcome<T> = unfinished
      const writing = savepoints(db)
      work(writing.write).then(
        (value) => {
          outcome = { value }
        },
        (reason: unknown) => {
          outcome = { reason }
        },
      )
      // A tick that is asked for amid the microtasks comes after all of them, and before anything else.
      queueMicrotask(() =>
        process.nextTick(() => {
          writing.end('value' in outcome ? end : 'ROLLBACK')
          resolve(outcome)
        }),
      )
    })
  })

/** Writes of one transaction, until that ends. */
function savepoints(db: Sqlite): { readonly write: Write; readonly end: (how: End) => void } {
  let isOpen = true
  const write = <T>(work: () => T): T => {
    if (!isOpen) throw new ApiError('dryRunRefused')
    db.exec('SAVEPOINT dry')
    try {
      const value = work()
      db.exec('RELEASE dry')
      return value
    } catch (error) {
      db.exec('ROLLBACK TO dry; RELEASE dry')
      throw error
    }
  }
  return {
    write: async (work) => write(work),
    end: (how) => {
      isOpen = false
      db.exec(how)
    },
  }
}
