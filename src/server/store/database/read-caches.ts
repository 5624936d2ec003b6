import { dataVersion } from './committed-changes.ts'
import type { Sqlite } from './sqlite.ts'

/** Reads a value by its key; one that was read is remembered. */
type CachedRead<Value> = (key: string, read: () => Value | undefined) => Value | undefined

/** Milliseconds after which other processes may have committed, even in the same turn of the event loop. */
const turn = 1

/**
 * Values that are as they were read, because nothing has been committed since: a commit of this process removes them all.
 * Whether another process has committed is asked in each turn of the event loop: a request that arrives after its commit
 * is in a later turn. A transaction of this process reads nothing from here.
 */
export class ReadCaches {
  readonly #version: () => unknown
  readonly #caches: (() => void)[] = []
  #seen: unknown
  #askedAt = Number.NEGATIVE_INFINITY
  #isHeld = false

  constructor(db: Sqlite) {
    this.#version = dataVersion(db)
  }

  /** A cache of values whose sizes are together at most `most`; without sizes, of so many values. */
  of<Value>(most: number, sizeOf: (value: Value) => number = () => 1): CachedRead<Value> {
    const values = new Map<string, Value>()
    let size = 0
    const clear = () => {
      values.clear()
      size = 0
    }
    this.#caches.push(clear)
    return (key, read) => {
      if (this.#isHeld || !this.#isCurrent()) return read()
      const known = values.get(key)
      const value = known ?? read()
      if (known !== undefined || value === undefined) return value
      const added = sizeOf(value)
      if (size + added > most) clear()
      if (added <= most) {
        values.set(key, value)
        size += added
      }
      return value
    }
  }

  /** To be called when this process has committed something. */
  clear(): void {
    for (const clear of this.#caches) clear()
  }

  /** To be called when a transaction has begun; the function that it returns, when that has ended. */
  hold(): () => void {
    this.#isHeld = true
    return () => {
      this.#isHeld = false
      this.clear()
    }
  }

  /** Removes what another process may have changed; false where the database is too busy to say whether one did. */
  #isCurrent(): boolean {
    const now = performance.now()
    if (now - this.#askedAt < turn) return true
    const version = this.#ask()
    if (version !== this.#seen) this.clear()
    this.#seen = version
    if (version === undefined) return false
    this.#askedAt = now
    setImmediate(() => {
      this.#askedAt = Number.NEGATIVE_INFINITY
    })
    return true
  }

  #ask(): unknown {
    try {
      return this.#version()
    } catch {
      return undefined
    }
  }
}
