import { ApiError } from '../../../contract/api/errors.ts'
import { inTurns, type Steps } from '../slices.ts'
import { RemoteSqlite } from './remote-sqlite.ts'
import { isBusy, type Sqlite } from './sqlite.ts'
import { type End, inManyTurns, type Patience, type Writing } from './transactions.ts'
import { beginPatiently } from './writes.ts'

/** A second connection to the database, and the tables on it. */
export interface Second<Tables> {
  readonly sqlite: Sqlite
  readonly tables: Tables
}

interface Source<Tables> {
  readonly path: string
  readonly open: () => Promise<Sqlite>
  readonly tablesOn: (sqlite: Sqlite) => Tables
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
  readonly #source: Source<Tables>
  readonly #hooks: Hooks
  #second: Promise<Second<Tables>> | undefined
  #ended: Promise<unknown> = Promise.resolve()

  constructor(source: Source<Tables>, hooks: Hooks) {
    this.#source = source
    this.#hooks = hooks
  }

  /**
   * Carries out steps and resolves with their value once that is durable. The connection is of another thread, if there can
   * be one: a commit takes as long as the changes are large, and others are answered meanwhile.
   */
  async run<T>(work: (tables: Tables) => Steps<T>): Promise<T> {
    const remote = await RemoteSqlite.open(this.#source.path)
    if (!remote) return await this.#written(work, await this.#connection())
    try {
      remote.exec(settings)
      const tables = this.#source.tablesOn(remote)
      return await this.#written(work, { sqlite: remote, tables }, (sql) => remote.aside(sql))
    } finally {
      this.#ended = Promise.all([this.#ended, remote.end()])
    }
  }

  async #written<T>(
    work: (tables: Tables) => Steps<T>,
    { sqlite, tables }: Second<Tables>,
    end: (how: End) => Promise<void> = async (how) => sqlite.exec(how),
  ): Promise<T> {
    await beginPatiently(sqlite)
    try {
      const value = await inTurns(work(tables))
      this.#hooks.check()
      await end('COMMIT')
      this.#hooks.committed()
      return value
    } catch (reason) {
      // A failure such as a full disk may have ended the transaction already.
      await end('ROLLBACK').catch(() => undefined)
      throw isBusy(reason) ? new ApiError('busy') : reason
    }
  }

  /** Carries out work that writes with the functions it is given, resolves with its value, and rolls it back. */
  async rolledBack<T>(work: (tables: Tables, writing: Writing) => Promise<T>, patience: Patience): Promise<T> {
    const { sqlite, tables } = await this.#connection()
    return await inManyTurns(sqlite, 'ROLLBACK', (writing) => work(tables, writing), patience)
  }

  async close(): Promise<void> {
    await this.#ended
    const second = await this.#second
    second?.sqlite.close()
  }

  #connection(): Promise<Second<Tables>> {
    this.#second ??= this.#opened().catch((error: unknown) => {
      this.#second = undefined
      throw error
    })
    return this.#second
  }

  async #opened(): Promise<Second<Tables>> {
    const sqlite = await this.#source.open()
    return { sqlite, tables: this.#source.tablesOn(sqlite) }
  }
}

/** Those of every connection that writes; what the log has is moved into the file after the commit. */
const settings = `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
  PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0`
