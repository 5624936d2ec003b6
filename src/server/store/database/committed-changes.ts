import type { Sqlite, Statement } from './sqlite.ts'

/** Reads a number that changes when another connection commits. Throws while the database is busy. */
export function dataVersion(db: Sqlite): () => unknown {
  let statement: Statement | undefined
  return () => {
    statement ??= db.prepare('PRAGMA data_version')
    return Object(statement.get()).data_version
  }
}

/** Milliseconds between two checks for commits of other processes. */
const pause = 50

/** Notifies watchers of changes by this process or another; does nothing as long as there are no watchers. */
export class Changes {
  readonly #isShared: boolean
  readonly #watchers = new Set<() => void>()
  readonly #dataVersion: () => unknown
  #version: unknown
  #timer: NodeJS.Timeout | undefined

  /** `isShared`: whether other processes can open the database. */
  constructor(db: Sqlite, isShared: boolean) {
    this.#dataVersion = dataVersion(db)
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

  /** The version; the one before while the database is busy. */
  #read(): unknown {
    try {
      return this.#dataVersion()
    } catch {
      return this.#version
    }
  }
}
