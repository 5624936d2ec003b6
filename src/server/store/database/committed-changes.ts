import type { Sqlite, Statement } from './sqlite.ts'

/** Milliseconds between two checks for commits of other processes. */
const pause = 50

/** Notifies watchers of changes by this process or another; does nothing as long as there are no watchers. */
export class Changes {
  readonly #db: Sqlite
  readonly #isShared: boolean
  readonly #watchers = new Set<() => void>()
  #statement: Statement | undefined
  #version: unknown
  #timer: NodeJS.Timeout | undefined

  /** `isShared`: whether other processes can open the database. */
  constructor(db: Sqlite, isShared: boolean) {
    this.#db = db
    this.#isShared = isShared
  }

  /** To be called when this process has committed something. */
  readonly committed = (): void => {
    for (const watcher of this.#watchers) watcher()
  }

  /** Calls a function after one or several changes; returns a function that ends that. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    if (this.#isShared && this.#timer === undefined) this.#begin()
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.#end()
    }
  }

  #begin(): void {
    this.#version = this.#read()
    this.#timer = setInterval(() => this.#look(), pause).unref()
  }

  #end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const version = this.#read()
    if (version === this.#version) return
    this.#version = version
    this.committed()
  }

  /** A number that changes when another connection commits; the one before while the database is busy. */
  #read(): unknown {
    try {
      this.#statement ??= this.#db.prepare('PRAGMA data_version')
      return Object(this.#statement.get()).data_version
    } catch {
      return this.#version
    }
  }
}
