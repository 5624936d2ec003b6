import { BoundedValues } from '../bounded-values.ts'
import { inNextTurn } from '../next-turn.ts'
import { dataVersion } from './committed-changes.ts'
import type { Sqlite } from './sqlite.ts'

/** Reads a value by its key; one that was read is remembered. */
type CachedRead<Value> = (key: string, read: () => Value | undefined) => Value | undefined

/** What a cache holds. */
interface Cached<Value> {
  /** The tables that values are read from, and those that delete from them by a foreign key; all if none is given. */
  readonly tables?: readonly string[]
  /** The most that the sizes of all values are together. */
  readonly most: number
  /** The size of a value; 1. */
  readonly sizeOf?: (value: Value) => number
}

/** Milliseconds after which other processes may have committed, even in the same turn of the event loop. */
const turn = 1

/**
 * Values that are as they were read, because nothing has changed them since: a statement of this connection that changes
 * a table removes what was read from it, and a transaction that is rolled back removes all. Whether another process has
 * committed is asked in each turn of the event loop: a request that arrives after its commit is in a later turn.
 */
export class ReadCaches {
  readonly #version: () => unknown
  readonly #othersCommitted: () => void
  readonly #caches: { readonly tables: readonly string[] | undefined; readonly clear: () => void }[] = []
  #seen: unknown
  #askedAt = Number.NEGATIVE_INFINITY
  #isHeld = false
  #isLocked = false

  /** `othersCommitted` is called once that was noticed. */
  constructor(db: Sqlite, othersCommitted = () => {}) {
    this.#version = dataVersion(db)
    this.#othersCommitted = othersCommitted
  }

  of<Value>({ tables, most, sizeOf = () => 1 }: Cached<Value>): CachedRead<Value> {
    const values = new BoundedValues(most, sizeOf)
    this.#caches.push({ tables, clear: values.clear })
    return (key, read) => {
      if (this.#isHeld || !this.#isCurrent()) return read()
      const known = values.get(key)
      const value = known ?? read()
      if (known === undefined && value !== undefined) values.set(key, value)
      return value
    }
  }

  /** Notices what other processes have committed before this turn of the event loop. */
  readonly look = (): void => void this.#isCurrent()

  /** To be called before this connection changes tables. */
  readonly changing = (changed: readonly string[]): void => {
    for (const { tables, clear } of this.#caches)
      if (tables === undefined || changed.some((table) => tables.includes(table))) clear()
  }

  /** To be called when changes were rolled back, or made otherwise than by statements of this connection. */
  readonly clear = (): void => {
    for (const { clear } of this.#caches) clear()
  }

  /** Has everything read again until the function is called that it returns. */
  hold(): () => void {
    this.#isHeld = true
    return () => {
      this.#isHeld = false
      this.clear()
    }
  }

  /** To be called when a transaction has begun that prevents others from writing; the function that it returns, when it has ended. */
  readonly lock = (): (() => void) => {
    this.#refresh()
    this.#isLocked = true
    return () => {
      this.#isLocked = false
      this.#askedAt = Number.NEGATIVE_INFINITY
    }
  }

  /** Removes what another process may have changed; false where the database is too busy to say whether one did. */
  #isCurrent(): boolean {
    const now = performance.now()
    if (this.#isLocked || now - this.#askedAt < turn) return true
    if (this.#refresh() === undefined) return false
    this.#askedAt = now
    inNextTurn(() => {
      this.#askedAt = Number.NEGATIVE_INFINITY
    })
    return true
  }

  #refresh(): unknown {
    const version = this.#ask()
    if (version === this.#seen && version !== undefined) return version
    this.clear()
    this.#othersCommitted()
    this.#seen = version
    return version
  }

  #ask(): unknown {
    try {
      return this.#version()
    } catch {
      return undefined
    }
  }
}
