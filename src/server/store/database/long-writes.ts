import { open } from 'node:fs/promises'
import { ApiError } from '../../../contract/api/errors.ts'
import { inTurns, type Steps } from '../slices.ts'
import { isBusy, type Sqlite } from './sqlite.ts'
import { checkpointed } from './threads.ts'
import { inManyTurns, type Patience, type Writing } from './transactions.ts'
import { beginPatiently, rollBack } from './writes.ts'

/** A second connection to the database, and the tables on it. */
export interface Second<Tables> {
  readonly sqlite: Sqlite
  readonly tables: Tables
}

interface Hooks {
  /** Called before the commit. What it throws, the write fails with. */
  readonly check: () => void
  readonly committed: () => void
}

/**
 * Long work, in a transaction of its own on a second connection: others read what was committed before, and are answered
 * between two steps. Call `run` while no other write of this process is open.
 */
export class LongWrites<Tables> {
  readonly #path: string
  readonly #open: () => Promise<Second<Tables>>
  readonly #hooks: Hooks
  #second: Promise<Second<Tables>> | undefined
  #checkpoint: Promise<unknown> = Promise.resolve()

  constructor(path: string, open: () => Promise<Second<Tables>>, hooks: Hooks) {
    this.#path = path
    this.#open = open
    this.#hooks = hooks
  }

  /** Carries out steps and resolves with their value once that is durable. */
  async run<T>(work: (tables: Tables) => Steps<T>): Promise<T> {
    const { sqlite, tables } = await this.#connection()
    await beginPatiently(sqlite)
    try {
      const value = await inTurns(work(tables))
      await flushed(`${this.#path}-wal`)
      this.#hooks.check()
      sqlite.exec('COMMIT')
      this.#hooks.committed()
      return value
    } catch (reason) {
      rollBack(sqlite)
      throw isBusy(reason) ? new ApiError('busy') : reason
    }
  }

  /** Carries out work that writes with the functions it is given, resolves with its value, and rolls it back. */
  async rolledBack<T>(work: (tables: Tables, writing: Writing) => Promise<T>, patience: Patience): Promise<T> {
    const { sqlite, tables } = await this.#connection()
    return await inManyTurns(sqlite, 'ROLLBACK', (writing) => work(tables, writing), patience)
  }

  /** Has what was written moved into the database file by another thread; resolves when that has begun. */
  async tidy(): Promise<void> {
    const { begun, done } = checkpointed(this.#path)
    this.#checkpoint = Promise.all([this.#checkpoint, done])
    await begun
  }

  async close(): Promise<void> {
    await this.#checkpoint
    const second = await this.#second
    second?.sqlite.close()
  }

  #connection(): Promise<Second<Tables>> {
    this.#second ??= this.#open().catch((error: unknown) => {
      this.#second = undefined
      throw error
    })
    return this.#second
  }
}

/**
 * Waits until the disk has what was written to a file, if it is there: a commit, for which the event loop waits, then has
 * little left.
 */
async function flushed(path: string): Promise<void> {
  const file = await open(path).catch(() => undefined)
  await file?.datasync().finally(() => file.close())
}
