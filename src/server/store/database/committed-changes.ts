import type { Sqlite, Statement } from './sqlite.ts'

/** Milliseconds between two checks for commits of other processes. */
const pause = 50

/** Notifies watchers when the database has changed, in this process or another; costs nothing without watchers. */
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

  /** Calls a function after every change, several at a time, until the answered one is called. */
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

  /** A number that another connection's commit changes; a database that is busy is looked at again. */
  #read(): unknown {
    try {
      this.#statement ??= this.#db.prepare('PRAGMA data_version')
      return Object(this.#statement.get()).data_version
    } catch {
      return this.#version
    }
  }
}
