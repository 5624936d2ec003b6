import { ApiError } from '../../../contract/api/errors.ts'
import { isBusy, type Sqlite } from './sqlite.ts'
import { defaultPatience, retryAfter } from './writes.ts'

/** Runs synchronous work as one write: all of it is done, or none. */
export type Write = <T>(work: () => T) => Promise<T>

/** How a transaction ends whose work succeeded. */
type End = 'COMMIT' | 'ROLLBACK'

/**
 * Carries out asynchronous work in a transaction, and resolves with its value; work that fails is rolled back. It writes
 * with the function it is given, which throws once the transaction has ended.
 *
 * All of it happens in one turn of the event loop: no other request reads what is rolled back, or is committed with it.
 * Work that waits for a file or another thread cannot end in that turn: it is rolled back, and throws `dryRunRefused`.
 * `begun` is called when the transaction has begun; the function that it returns, when it has ended.
 */
export async function inOneTurn<T>(
  db: Sqlite,
  end: End,
  work: (write: Write) => Promise<T>,
  begun: () => () => void,
): Promise<T> {
  const until = Date.now() + defaultPatience
  for (;;) {
    const outcome = await oneTurn(db, end, work, begun)
    if ('value' in outcome) return outcome.value
    if (!outcome.isNotBegun || Date.now() > until) throw outcome.reason
    await new Promise((resolve) => setTimeout(resolve, retryAfter))
  }
}

type Outcome<T> =
  | { readonly value: T }
  | { readonly reason: unknown /** Whether another process has the lock. */; readonly isNotBegun?: true }

const unfinished = { reason: new ApiError('dryRunRefused') }

/** `setImmediate` begins a turn in which no work of other requests is pending. */
const oneTurn = <T>(
  db: Sqlite,
  end: End,
  work: (write: Write) => Promise<T>,
  begun: () => () => void,
): Promise<Outcome<T>> =>
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
      const ended = begun()
      work(writing.write).then(
        (value) => {
          outcome = { value }
        },
        (reason: unknown) => {
          outcome = { reason }
        },
      )
      // A tick that is requested in a microtask comes after all microtasks, and before anything else.
      queueMicrotask(() =>
        process.nextTick(() => {
          writing.end('value' in outcome ? end : 'ROLLBACK')
          ended()
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
