import { ApiError } from '../../../contract/api/errors.ts'
import { inNextTurn } from '../next-turn.ts'
import { type Sender, theService } from '../senders.ts'
import { beginTurn } from '../slices.ts'
import { TimedLines } from '../timed-lines.ts'
import { isBusy, rollBack, type Sqlite } from './sqlite.ts'

/** Milliseconds that a write waits for another process before it is refused with 503. */
export const defaultPatience = 5000
/** Milliseconds between two attempts. */
export const retryAfter = 20
/** Milliseconds by the clock after which a group takes no other write: one that waits for the disk takes little processor time. */
const longestGroup = 25

interface Waiting {
  readonly line: readonly string[]
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  readonly since: number
}
/** What is called around every transaction. */
interface WriteHooks {
  /** Called before it begins and before it is committed. What it throws, the writes fail with. */
  readonly check?: () => void
  /** Called when it has begun; the function that it returns, when it has ended. */
  readonly begun?: () => () => void
  readonly committed?: () => void
  /** Called when what one write changed, or all of them, was rolled back. */
  readonly undone?: () => void
  /** Calls back in a turn of the event loop in which writes may begin. */
  readonly inNextTurn?: (callback: () => void) => void
}
type Outcome = { readonly value: unknown } | { readonly reason: unknown }

/**
 * Commits writes in groups: those that wait together share one transaction, and so one wait for the disk. Each has a
 * savepoint of its own, so that one that fails leaves the others alone. A write resolves once it is durable. Lines share the
 * time: a group begins with what is next.
 */
export class Writes {
  readonly #db: Sqlite
  readonly #patience: number
  readonly #hooks: WriteHooks
  readonly #waiting = new TimedLines<Waiting>()
  readonly #alone: (() => Promise<void>)[] = []
  #isGroupNext = true
  #scheduled = false
  #idle: (() => void)[] = []

  constructor(db: Sqlite, patience = defaultPatience, hooks: WriteHooks = {}) {
    this.#db = db
    this.#patience = patience
    this.#hooks = hooks
  }

  /** Runs `work`, which must be synchronous, in a transaction; resolves with its value after the commit. */
  run<T>(work: () => T, { line }: Pick<Sender, 'line'> = theService): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const write = { line, work, resolve: resolve as (value: unknown) => void, reject, since: Date.now() }
      this.#waiting.push(line, write)
      this.#schedule()
    })
  }

  /**
   * Carries out work while no other write of this process is open, and resolves with its value. If it succeeded,
   * `afterwards` is waited for before the next write.
   */
  alone<T>(work: () => Promise<T>, afterwards?: () => Promise<void>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#alone.push(async () => {
        try {
          this.#hooks.check?.()
          resolve(await work())
          await afterwards?.()
        } catch (reason) {
          reject(reason)
        }
      })
      this.#schedule()
    })
  }

  /** How many writes wait for their turn. */
  get waiting(): number {
    return this.#waiting.size + this.#alone.length
  }

  /** Resolves when no write is pending. */
  drained(): Promise<void> {
    if (!this.#scheduled) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Not in this turn of the event loop, in which the request may have been read: other connections are looked at before. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    const inTurn = this.#hooks.inNextTurn ?? inNextTurn
    inNextTurn(() => inTurn(() => this.#flush()))
  }

  #flush(): void {
    const alone = this.#isGroupNext && this.#waiting.size > 0 ? undefined : this.#alone.shift()
    this.#isGroupNext = alone !== undefined
    if (alone) return void alone().then(() => this.#next())
    const refused = this.#begin()
    if (refused) {
      this.#notBegun(refused.reason)
    } else {
      const group: Waiting[] = []
      settle(group, this.#commit(group))
      this.#next()
    }
  }

  #begin(): { readonly reason: unknown } | undefined {
    try {
      this.#hooks.check?.()
      this.#db.exec('BEGIN IMMEDIATE')
      return undefined
    } catch (reason) {
      return { reason }
    }
  }

  /** Commits all that wait, or what can be made in some milliseconds, and adds it to a group. */
  #commit(group: Waiting[]): Outcome[] {
    const ended = this.#hooks.begun?.()
    try {
      const isTurnOver = beginTurn()
      const end = performance.now() + longestGroup
      const isOver = () => performance.now() > end || isTurnOver()
      const outcomes: Outcome[] = []
      for (let next = this.#waiting.shift(); next; next = isOver() ? undefined : this.#waiting.shift()) {
        const began = performance.now()
        group.push(next.item)
        outcomes.push(this.#attempt(next.item.work))
        next.took(performance.now() - began)
      }
      this.#hooks.check?.()
      this.#db.exec('COMMIT')
      this.#hooks.committed?.()
      return outcomes
    } catch (reason) {
      rollBack(this.#db)
      this.#hooks.undone?.()
      return group.map(() => ({ reason: isBusy(reason) ? new ApiError('busy') : reason }))
    } finally {
      ended?.()
    }
  }

  #attempt(work: () => unknown): Outcome {
    this.#db.exec('SAVEPOINT request')
    try {
      const value = work()
      this.#db.exec('RELEASE request')
      return { value }
    } catch (reason) {
      this.#undo(reason)
      return { reason }
    }
  }

  /** A failure such as a full disk may have ended the whole transaction: then all writes of the group fail with it. */
  #undo(reason: unknown): void {
    try {
      this.#db.exec('ROLLBACK TO request; RELEASE request')
      this.#hooks.undone?.()
    } catch {
      throw reason
    }
  }

  /** Tries again while another process has the lock; writes that have waited too long are refused. */
  #notBegun(error: unknown): void {
    const reason = isBusy(error) ? new ApiError('busy') : error
    for (const write of this.#waiting.takeAll()) {
      const isLate = !isBusy(error) || Date.now() - write.since > this.#patience
      if (isLate) write.reject(reason)
      else this.#waiting.push(write.line, write)
    }
    if (this.#waiting.size > 0) setTimeout(() => this.#flush(), retryAfter)
    else this.#next()
  }

  #next(): void {
    this.#scheduled = false
    if (this.waiting > 0) this.#schedule()
    else for (const resolve of this.#idle.splice(0)) resolve()
  }
}

function settle(group: readonly Waiting[], outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[index]
    if (outcome && 'value' in outcome) resolve(outcome.value)
    else reject(outcome?.reason)
  }
}

/** Begins a transaction once no other process has one. Throws `busy` if that takes too long. */
export async function beginPatiently(db: Sqlite, begin = 'BEGIN IMMEDIATE'): Promise<void> {
  for (const until = Date.now() + defaultPatience; ; ) {
    try {
      return db.exec(begin)
    } catch (reason) {
      if (!isBusy(reason)) throw reason
      if (Date.now() > until) throw new ApiError('busy')
      await new Promise((resolve) => setTimeout(resolve, retryAfter))
    }
  }
}
