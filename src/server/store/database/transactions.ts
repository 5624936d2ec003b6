import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { quietTurn } from '../next-turn.ts'
import { beginTurn, inTurns, longestTurn, needsTurns, type Steps, withinTurn } from '../slices.ts'
import { isBusy, rollBack, type Sqlite } from './sqlite.ts'
import { beginPatiently, defaultPatience, retryAfter } from './writes.ts'

/** What writes in a transaction, until that ends. */
export interface Writing {
  /** Runs synchronous work as one write: all of it is done, or none. */
  readonly write: <T>(work: () => T) => Promise<T>
  /** The same for steps that change so many rows. */
  readonly writeInSteps: <T>(rows: number, steps: () => Steps<T>) => Promise<T>
  /** To be awaited between two pieces of work: gives others a turn. */
  readonly pause: () => Promise<void>
}
type Work<T> = (writing: Writing) => Promise<T>

/** How a transaction ends whose work succeeded. */
export type End = 'COMMIT' | 'ROLLBACK'

/** The SQL that begins and ends a transaction. */
type Frame = Readonly<Record<'BEGIN' | End, string>>
const own: Frame = { BEGIN: 'BEGIN IMMEDIATE', COMMIT: 'COMMIT', ROLLBACK: 'ROLLBACK' }
/** Within an open transaction; what was committed can still be rolled back: the last first, by the same statements. */
export const nested: Frame = { BEGIN: 'SAVEPOINT place', COMMIT: '', ROLLBACK: 'ROLLBACK TO place; RELEASE place' }
/** In a copy that is removed afterwards: to commit takes less time than to roll back. */
export const discarded: Frame = { BEGIN: 'BEGIN', COMMIT: 'COMMIT', ROLLBACK: 'COMMIT' }

/** What one turn of the event loop is for. */
interface Turn {
  /**
   * Rows that a write may change, where work may not take long, either: what needs more is rolled back, and throws
   * `needsTurns`.
   */
  readonly rows?: number | undefined
  /** Called when the transaction has begun; the function that it returns, when it has ended. */
  readonly begun: () => () => void
  readonly frame?: Frame
  /** Calls back in the turn that it is. */
  readonly inNextTurn: (callback: () => void) => void
}

/**
 * Carries out asynchronous work in a transaction, and resolves with its value; work that fails is rolled back. It writes
 * with the functions it is given, which throw once the transaction has ended.
 *
 * All of it happens in one turn of the event loop: no other request reads what is rolled back, or is committed with it.
 * Work that waits for a file or another thread cannot end in that turn: it is rolled back, and throws `dryRunRefused`.
 */
export async function inOneTurn<T>(db: Sqlite, end: End, work: Work<T>, turn: Turn): Promise<T> {
  const until = Date.now() + defaultPatience
  for (;;) {
    const outcome = await oneTurn(db, end, work, turn)
    if ('value' in outcome) return outcome.value
    if (!outcome.isNotBegun || Date.now() > until) throw outcome.reason
    await setTimeout(retryAfter)
  }
}

/** What bounds many turns. */
export interface Patience {
  readonly frame?: Frame
  /** Milliseconds after which they throw `tooLong`. */
  readonly longest?: number
  readonly tooLong?: Error
  /** Whether nobody waits for the result any more. */
  readonly isGone?: (() => boolean) | undefined
}

/** The same in as many turns as it takes, on a connection from which nobody else reads. Throws `busy` if the asker is gone. */
export async function inManyTurns<T>(db: Sqlite, end: End, work: Work<T>, patience: Patience = {}): Promise<T> {
  const { frame = own } = patience
  await beginPatiently(db, frame.BEGIN)
  const { writing, finish } = writingIn(db, frame)
  const ended = new AbortController()
  let how: End = 'ROLLBACK'
  try {
    const value = await Promise.race([work(writing), outOfPatience(patience, ended.signal)])
    how = end
    return value
  } finally {
    ended.abort()
    finish(how)
  }
}

/** Milliseconds after which is checked again whether somebody still waits. */
const glance = 20

const longestText = `a dry run takes at most ${limits.dryRunLongest / 1000} s`

async function outOfPatience(
  { longest = limits.dryRunLongest, tooLong = new ApiError('dryRunFull', longestText), isGone = () => false }: Patience,
  signal: AbortSignal,
): Promise<never> {
  const end = performance.now() + longest
  while (performance.now() < end) {
    await setTimeout(glance, undefined, { signal })
    if (isGone()) throw new ApiError('busy', 'the connection was closed before the dry run had ended')
  }
  throw tooLong
}

type Outcome<T> =
  | { readonly value: T }
  | { readonly reason: unknown /** Whether another process has the lock. */; readonly isNotBegun?: true }

const unfinished = { reason: new ApiError('dryRunRefused') }

/** In the next turn no work of other requests is pending. */
const oneTurn = <T>(
  db: Sqlite,
  end: End,
  work: Work<T>,
  { rows: most, begun, frame = own, inNextTurn }: Turn,
): Promise<Outcome<T>> =>
  new Promise((resolve) => {
    inNextTurn(() => {
      try {
        db.exec(frame.BEGIN)
      } catch (reason) {
        resolve(isBusy(reason) ? { reason: new ApiError('busy'), isNotBegun: true } : { reason })
        return
      }
      let outcome: Outcome<T> = unfinished
      let isTooLong = false
      const { writing, finish } = writingIn(db, frame)
      const { write } = writing
      const check = (isMore: boolean) => {
        isTooLong ||= isMore
        if (isTooLong) throw needsTurns
      }
      const isTurnOver = beginTurn(longestTurn)
      const isOver = () => {
        isTooLong ||= most !== undefined && isTurnOver()
        return isTooLong
      }
      const writeInSteps: Writing['writeInSteps'] = async (rows, steps) => {
        check(rows > (most ?? rows))
        return await write(() => withinTurn(steps(), isOver))
      }
      const pause = async () => check(isOver())
      const ended = begun()
      work({ write, writeInSteps, pause }).then(
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
          if (isTooLong) outcome = { reason: needsTurns }
          finish('value' in outcome ? end : 'ROLLBACK')
          ended()
          resolve(outcome)
        }),
      )
    })
  })

function writingIn(db: Sqlite, frame: Frame): { readonly writing: Writing; readonly finish: (how: End) => void } {
  let isOpen = true
  const check = () => {
    if (!isOpen) throw new ApiError('dryRunRefused')
  }
  const begin = () => {
    check()
    db.exec('SAVEPOINT dry')
  }
  const undo = (reason: unknown): never => {
    if (isOpen) rollBack(db, 'ROLLBACK TO dry; RELEASE dry')
    throw reason
  }
  const write = <T>(work: () => T): T => {
    begin()
    try {
      const value = work()
      db.exec('RELEASE dry')
      return value
    } catch (reason) {
      return undo(reason)
    }
  }
  const writeInSteps = async <T>(steps: Steps<T>): Promise<T> => {
    begin()
    const value = await inTurns(steps, check).catch(undo)
    db.exec('RELEASE dry')
    return value
  }
  return {
    writing: {
      write: async (work) => write(work),
      writeInSteps: (_, steps) => writeInSteps(steps()),
      pause: () => quietTurn(longestTurn),
    },
    finish: (how) => {
      isOpen = false
      if (how === 'COMMIT') db.exec(frame.COMMIT)
      else rollBack(db, frame.ROLLBACK)
    },
  }
}
