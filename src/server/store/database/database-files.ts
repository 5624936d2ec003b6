import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { ApiError } from '../../../contract/api/errors.ts'
import { FileContents } from './file-contents.ts'
import { identityOf } from './file-identity.ts'
import { SchemaVersion } from './schema-version.ts'
import { firstValue, type Sqlite } from './sqlite.ts'

/** A database, by the path that no link is part of, and the files that SQLite has beside it while it is open. */
export const filesOf = (path: string): string[] => [path, `${path}-wal`, `${path}-shm`]

/** Where a database is. */
interface Place {
  /** What it was opened by, which may lead there by links. */
  readonly name: string
  /** Without any link, as SQLite names the files beside it. */
  readonly path: string
}

/** What an open database is asked for. */
type Database = Pick<Sqlite, 'exec' | 'prepare'>

/** Milliseconds between two looks at the files while others are served: who puts a copy there restarts the service soon. */
const lookEvery = 1000

/**
 * The files of an open database. SQLite goes on writing to files that were deleted, moved or overwritten: what is written
 * then is lost when the process ends.
 */
export class DatabaseFiles {
  readonly version: SchemaVersion
  readonly #db: Database
  readonly #path: string
  readonly #identities: ReadonlyMap<string, string | undefined>
  readonly #contents: FileContents | undefined
  /** Whether the log is in the file, which is elsewhere now. */
  #isLogSaved = false
  #looking: NodeJS.Timeout | undefined

  /** To be called once the database is open, as SQLite has made its files then; no place for a database in memory. */
  constructor(db: Database, place: Place | undefined) {
    const files = place ? filesOf(place.path) : []
    const named = place ? [place.name] : []
    this.#db = db
    this.version = new SchemaVersion(db, place?.path ?? '')
    this.#path = place?.path ?? ''
    this.#identities = new Map([...files, ...named].map((file) => [file, identityOf(file)]))
    // Where a file system cannot share memory, SQLite has no log.
    this.#contents = place && files.every((file) => existsSync(file)) ? new FileContents(place.path) : undefined
  }

  /**
   * Throws `storage` if one of the files is no longer the one that was opened, or was overwritten, and `outdated` if a
   * newer version upgraded the database. Takes some twenty microseconds.
   */
  readonly check = (): void => {
    const missing = this.#missing()
    const fault = this.#contents?.fault()
    if (!fault) this.#saveLog(missing)
    if (missing[0] !== undefined)
      throw new FilesChanged(`${basename(missing[0])} was deleted, moved or replaced`, {
        service: 'put it back, or restart the service',
        command: 'put it back, or run the command again',
      })
    if (fault) {
      const copied = `remove ${basename(this.#path)}-wal, put back a copy, and`
      throw new FilesChanged(`${basename(this.#path + suffixes[fault])} was overwritten`, {
        service: `stop the service, ${copied} start it again`,
        command: `${copied} run the command again`,
      })
    }
    this.version.look()
    this.version.check()
  }

  /** To be called after a commit. */
  readonly committed = (): void => this.#contents?.look()

  /** Looks at the files from time to time, also while nobody writes. */
  watch(): void {
    this.#looking ??= setInterval(this.look, lookEvery).unref()
  }

  /** Saves the log where the file is elsewhere, or the log is deleted: to be called at the latest before the database is closed. */
  readonly look = (): void => {
    try {
      if (!this.#contents?.fault()) this.#saveLog(this.#missing())
    } catch {
      // What cannot be looked at, as on a share whose server is away for a moment, may be where it was.
    }
  }

  /** To be called once the database is closed. */
  close(): void {
    clearInterval(this.#looking)
    this.#contents?.close()
  }

  /** The files in whose place there is no file any more, or another one. */
  #missing(): string[] {
    const missing: string[] = []
    for (const [file, identity] of this.#identities)
      if (identity !== undefined && identityOf(file) !== identity) missing.push(file)
    return missing
  }

  /**
   * Copies the log, which is still open, into the file: what it has would be lost if the process was killed, or be read as
   * part of another file that is in its place by then. That is done once, as others may write to the log for theirs; it is empty then.
   */
  #saveLog(missing: readonly string[]): void {
    const isElsewhere = missing.includes(this.#path)
    if (!isElsewhere) this.#isLogSaved = false
    try {
      if (isElsewhere) this.#isLogSaved ||= firstValue(this.#db, 'PRAGMA wal_checkpoint(TRUNCATE)') === 0
      else if (this.#isLogDeleted(missing)) this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // Within a transaction it cannot be done: it is done before the next one.
    }
  }

  /** Whether the log is gone, with its index or without, and the file is there. Another log would be that of others. */
  #isLogDeleted(missing: readonly string[]): boolean {
    const isGone = (file: string) => file !== this.#path && identityOf(file) === undefined
    return missing.includes(this.#path + suffixes.log) && missing.every(isGone)
  }
}

/** What the names of the files end with. */
const suffixes = { file: '', log: '-wal' } as const

/** The files of a database are not as they were opened. Requests are refused with `storage`, and what to do about a service. */
export class FilesChanged extends ApiError {
  constructor(
    /** Which file, and what was done with it. */
    readonly fact: string,
    /** What to do about it, where a service has the database, and where a command has it by itself. */
    readonly remedies: { readonly service: string; readonly command: string },
  ) {
    super('storage', `${fact} while its service is running, so nothing is stored: ${remedies.service}`)
  }
}
