import { ApiError } from '../../../contract/api/errors.ts'
import { inNextTurn } from '../next-turn.ts'
import { beginTurn } from '../slices.ts'
import { isBusy, type Sqlite } from './sqlite.ts'

/** Milliseconds that a write waits for another process before it is refused with 503. */
export const defaultPatience = 5000
/** Milliseconds between two attempts. */
export const retryAfter = 20

interface Waiting {
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
}
type Outcome = { readonly value: unknown } | { readonly reason: unknown }

/**
 * Commits writes in groups: those that wait together share one transaction, and so one wait for the disk. Each has a
 * savepoint of its own, so that one that fails leaves the others alone. A write resolves once it is durable.
 */
export class Writes {
  readonly #db: Sqlite
  readonly #patience: number
  readonly #hooks: WriteHooks
  #waiting: Waiting[] = []
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
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject, since: Date.now() })
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
    return this.#waiting.length + this.#alone.length
  }

  /** Resolves when no write is pending. */
  drained(): Promise<void> {
    if (!this.#scheduled) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    inNextTurn(() => this.#flush())
  }

  #flush(): void {
    const group = this.#waiting
    const alone = this.#isGroupNext && group.length > 0 ? undefined : this.#alone.shift()
    this.#isGroupNext = alone !== undefined
    if (alone) return void alone().then(() => this.#next())
    this.#waiting = []
    const refused = this.#begin()
    if (refused) {
      this.#notBegun(group, refused.reason)
    } else {
      const outcomes = this.#commit(group)
      settle(group.slice(0, outcomes.length), outcomes)
      this.#waiting = [...group.slice(outcomes.length), ...this.#waiting]
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

  /** Commits the first writes of a group, or all that can be made in some milliseconds. */
  #commit(group: readonly Waiting[]): Outcome[] {
    const ended = this.#hooks.begun?.()
    try {
      const isOver = beginTurn()
      const outcomes: Outcome[] = []
      for (const { work } of group) {
        outcomes.push(this.#attempt(work))
        if (isOver()) break
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
  #notBegun(group: readonly Waiting[], error: unknown): void {
    const late = isBusy(error) ? group.filter(({ since }) => Date.now() - since > this.#patience) : group
    const reason = isBusy(error) ? new ApiError('busy') : error
    for (const { reject } of late) reject(reason)
    this.#waiting = [...group.filter((one) => !late.includes(one)), ...this.#waiting]
    if (this.#waiting.length > 0) setTimeout(() => this.#flush(), retryAfter)
    else this.#next()
  }

  #next(): void {
    this.#scheduled = false
    if (this.#waiting.length > 0 || this.#alone.length > 0) this.#schedule()
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

/** A failure such as a full disk may have ended the transaction already. */
export function rollBack(db: Sqlite): void {
  try {
    db.exec('ROLLBACK')
  } catch {}
}
