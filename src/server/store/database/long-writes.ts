import { ApiError } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { retried } from '../retried.ts'
import { theService } from '../senders.ts'
import { inPortions, inTurns, type Portions, type PortionWriting, type Steps } from '../slices.ts'
import { type Asking, TimedTurns } from '../timed-turns.ts'
import { RemoteSqlite } from './remote-sqlite.ts'
import { isBusy, type Sqlite } from './sqlite.ts'
import { inManyTurns, type Patience, type Writing } from './transactions.ts'
import { beginPatiently } from './writes.ts'

/** Long work in portions that is carried out at a time: one that takes very long keeps no other waiting. */
const portionedAtOnce = 2

const ofWaiting = {
  waiting: limits.longWritesWaiting,
  waitingOfLines: [limits.longWritesOfAddress, limits.longWritesOfUser],
  refusal: 'too many changes of many records at once: wait for some of yours',
}

/** A second connection to the database, and the tables on it. */
export interface Second<Tables> {
  readonly sqlite: Sqlite
  readonly tables: Tables
}

/** One that writes, and what carries out SQL on it that takes long. */
interface Writer<Tables> extends Second<Tables> {
  readonly aside: (sql: string) => Promise<void>
  /** Moves what the log has into the file while others write; where that fails, the next write does it. */
  readonly moveLog: () => Promise<void>
}

/** Carries out work while no other write of this process is open. */
type Alone = <T>(work: () => Promise<T>) => Promise<T>
interface Running {
  readonly alone: Alone
  readonly sender?: Asking | undefined
}

interface Source<Tables> {
  readonly path: string
  /** The connection of the writes of others. */
  readonly main: Sqlite
  readonly open: () => Promise<Sqlite>
  readonly tablesOn: (sqlite: Sqlite) => Tables
}

interface Hooks {
  /** Called before and after the file is opened, and before the commit. What it throws, the write fails with. */
  readonly check: () => void
  readonly committed: () => void
}

/**
 * Long work, in a transaction of its own on a second connection: others read what was committed before, and are answered
 * between two steps. The log of one is moved into the file, and emptied, before the next: meanwhile others write.
 */
export class LongWrites<Tables> {
  readonly #source: Source<Tables>
  readonly #hooks: Hooks
  readonly #connection = retried(() => this.#opened())
  readonly #turns = new TimedTurns({ atOnce: 1, ofWaiting })
  /** Each has a connection and a thread. */
  readonly #inPortions = new TimedTurns({ atOnce: portionedAtOnce, ofWaiting })
  /** How many move the log themselves. */
  #movers = 0

  constructor(source: Source<Tables>, hooks: Hooks) {
    this.#source = source
    this.#hooks = hooks
  }

  /**
   * Carries out steps and resolves with their value once that is durable. The connection is of another thread, if there can
   * be one: a commit takes as long as the changes are large, and others are answered meanwhile. Throws as `take` of
   * `TimedTurns` does.
   */
  run<T>(work: (tables: Tables) => Steps<T>, { alone, sender = theService }: Running): Promise<T> {
    return new Promise((resolve, reject) => {
      const write = (connection: Writer<Tables>) =>
        alone(() => this.#written(() => work(connection.tables), connection))
      const whole = () => this.#connected((connection) => write(connection).then(resolve), alone)
      this.#turns.take(whole, sender).catch(reject)
    })
  }

  /** The same in many transactions, between two of which other long writes have their turn, too. */
  runInPortions<T>(
    work: (tables: Tables) => Portions<T>,
    { alone, sender = theService, ...writing }: Omit<PortionWriting, 'write'> & Running,
  ): Promise<T> {
    const inAll = (connection: Writer<Tables>) =>
      inPortions(work(connection.tables), {
        ...writing,
        write: async (steps) => {
          const value = await alone(() => this.#written(steps, connection))
          await connection.moveLog()
          return value
        },
      })
    return this.#inPortions.take(() => this.#connected(inAll, alone), sender)
  }

  async #connected<T>(work: (connection: Writer<Tables>) => Promise<T>, alone: Alone): Promise<T> {
    this.#hooks.check()
    const remote = await RemoteSqlite.open(this.#source.path)
    if (!remote) {
      const { sqlite, tables } = await this.#connection()
      return await work({ sqlite, tables, aside: async (sql) => sqlite.exec(sql), moveLog: async () => {} })
    }
    const released = this.#holdLog()
    try {
      // Where no file is, SQLite makes one, and takes the log of the other for a stale one, which it removes when it first reads.
      this.#hooks.check()
      remote.exec(settings)
      const tables = this.#source.tablesOn(remote)
      const moveLog = () => remote.aside(logMoved).catch(() => undefined)
      const value = await work({ sqlite: remote, tables, aside: (sql) => remote.aside(sql), moveLog })
      await moveLog()
      await alone(() => remote.aside(logEmptied)).catch(() => undefined)
      return value
    } finally {
      released()
      await remote.end()
    }
  }

  /** Until the function that it returns is called, no write of others moves the log, which would keep all waiting. */
  #holdLog(): () => void {
    const { main } = this.#source
    this.#movers++
    main.exec('PRAGMA wal_autocheckpoint = 0')
    return () => {
      this.#movers--
      if (this.#movers === 0) main.exec('PRAGMA wal_autocheckpoint = 1000')
    }
  }

  async #written<T>(steps: () => Steps<T>, { sqlite, aside: end }: Writer<Tables>): Promise<T> {
    await beginPatiently(sqlite)
    try {
      const value = await inTurns(steps())
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

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#turns.waiting + this.#inPortions.waiting
  }

  /** Refuses what has not begun and can be refused, now and from now on. */
  refuse(): void {
    this.#turns.close()
    this.#inPortions.close()
  }

  /** Refuses all that has not begun, now and from now on. */
  refuseAll(): void {
    this.#turns.end()
    this.#inPortions.end()
  }

  /** Finishes what has begun. */
  async close(): Promise<void> {
    await this.#turns.drained()
    await this.#inPortions.drained()
    const second = await this.#connection.begun()
    second?.sqlite.close()
  }

  async #opened(): Promise<Second<Tables>> {
    const sqlite = await this.#source.open()
    return { sqlite, tables: this.#source.tablesOn(sqlite) }
  }
}

/**
 * Those of every connection that writes; what the log has is moved into the file after the commit. Of a larger cache, a page
 * that changes several times is written once.
 */
const settings = `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
  PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0; PRAGMA cache_size = -32768`

const logMoved = 'PRAGMA wal_checkpoint(PASSIVE)'
/** Waits for those who read at the moment, but not for a copy that is made. */
const logEmptied = 'PRAGMA busy_timeout = 100; PRAGMA wal_checkpoint(TRUNCATE)'
