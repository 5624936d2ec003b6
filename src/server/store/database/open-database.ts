import { randomUUID } from 'node:crypto'
import { accessSync, closeSync, constants, existsSync, openSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { ApiError } from '../../../contract/api/errors.ts'
import type { ServiceFailureCode } from '../../../contract/service-failures.ts'
import { shellWord } from '../../../contract/shell-word.ts'
import {
  codeOf,
  fileMessage,
  isDiskFull,
  isFileError,
  makeFolder,
  realPath,
  writeRemedy,
} from '../../../file-system.ts'
import { ownPath } from '../../../own-path.ts'
import { type Migration, migrations } from '../migrations.ts'
import { schema } from '../schema.ts'
import { backUp } from './backup.ts'
import { FilesChanged, filesOf } from './database-files.ts'
import { isMountPoint } from './mount-points.ts'
import { differenceFrom, partsOf } from './schema-parts.ts'
import { firstValue, isBusy, isUnusable, openSqlite, rollBack, type Sqlite } from './sqlite.ts'

/** Why a database cannot be opened or used: `problem` follows its name in a sentence, `hint` says what to do. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'
  /** What makes this very database usable again, if that is known. */
  readonly remedy: string | undefined

  constructor(
    readonly code: ServiceFailureCode & `db_${string}`,
    database: string,
    readonly problem: string,
    readonly hint: string,
    { remedy, ...options }: ErrorOptions & { readonly remedy?: string | undefined } = {},
  ) {
    super(`${database} ${problem}`, options)
    this.remedy = remedy
  }
}

/** Marks a database file as one of this service. */
const applicationId = 0x7661746f
const inMemory = ':memory:'
const sharedMemory = '?vfs=memdb'
/** Names a new database in memory, which the connections of this process share until the last of them is closed. */
export const newInMemory = (): string => `file:/${randomUUID()}${sharedMemory}`
/** Whether a database is in memory, and in no file. */
export const isInMemory = (path: string): boolean => path === inMemory || path.endsWith(sharedMemory)
/** Milliseconds to wait, at opening, for another process that has locked the file. */
const openTimeout = 5000

/**
 * Opens a database and brings its schema up to date; safe while another process does the same.
 * Throws `db_newer` for one written by a newer version, `db_unusable` for what is not a database of this service, and
 * `db_busy` for one of an earlier version that another process serves, at `servedAt`; none is changed.
 */
export async function openDatabase(
  path: string,
  steps: readonly Migration[] = migrations,
  servedAt?: string,
): Promise<Sqlite> {
  try {
    if (!isInMemory(path)) createFile(path)
    return await prepare(await openFile(path), path, steps, servedAt)
  } catch (error) {
    throw explained(error, path)
  }
}

/**
 * Only its owner may read the file; SQLite gives the files beside it the same mode. A file that cannot be written to is
 * refused here: SQLite would fail at the first write; so is a link of another user to what is not theirs.
 */
function createFile(path: string): void {
  checkLinks(path)
  makeFolder(dirname(path), 0o700)
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const real = realpathSync(path)
  if (statSync(real).isDirectory()) throw new StoreFailure('db_unusable', path, 'is a folder', 'name a file')
  refuseSeveralNames(path, real)
  refuseMounted(path, real)
  for (const file of filesOf(real)) checkAccess(file)
}

/** Throws as `ownPath` for the links in the places of the file, of what SQLite has beside it, and of the assets. */
function checkLinks(path: string): void {
  const real = ownPath(path)
  for (const one of [...filesOf(real), `${real}-journal`, `${real}.assets`, `${path}.assets`]) ownPath(one)
}

/** SQLite has a log for each name of a file: what is written by one of them is lost by the other. */
function refuseSeveralNames(path: string, real: string): void {
  const { nlink } = statSync(real)
  if (nlink < 2) return
  throw new StoreFailure(
    'db_unusable',
    path,
    `has ${nlink} names (hard links), and what is stored by one of them can be lost by another: while no service runs on it, copy it, and move the copy into its place`,
    'or name another file',
  )
}

/** A file that is mounted has another name where it comes from, and its log would not be beside it there. */
function refuseMounted(path: string, real: string): void {
  if (!isMountPoint(real)) return
  throw new StoreFailure(
    'db_unusable',
    path,
    'is mounted as a file, and what is stored by this name can be lost where the file comes from: mount the folder that it is in',
    'or name another file',
  )
}

/** Fails for a file that may not be read and written. One beside the database may be removed at any moment. */
function checkAccess(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/**
 * Opens a database, so that what it holds can be read also on a full disk: where there is no room for the index of the
 * log, which processes share, that is in memory, and others wait.
 */
async function openFile(path: string): Promise<Sqlite> {
  try {
    return await openIn('NORMAL', path)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    return await openIn('EXCLUSIVE', path).catch(() => {
      throw error
    })
  }
}

async function openIn(mode: 'NORMAL' | 'EXCLUSIVE', path: string): Promise<Sqlite> {
  const db = await openSqlite(path)
  try {
    // Where this fails, no statement is left that would hold a lock on the file once it is closed.
    db.exec(`PRAGMA busy_timeout = ${openTimeout}; PRAGMA locking_mode = ${mode}; PRAGMA user_version`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Throws `db_unusable` for a database that other processes cannot open meanwhile. */
export function refuseExclusive(db: Sqlite, path: string): void {
  if (firstValue(db, 'PRAGMA locking_mode') === 'exclusive') throw unusable(path, diskFull, 'make room on its disk')
}

async function prepare(
  db: Sqlite,
  path: string,
  steps: readonly Migration[],
  servedAt: string | undefined,
): Promise<Sqlite> {
  try {
    await refuseForeign(db, path, steps)
    useWal(db)
    db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF')
    migrate(db, path, steps, servedAt)
    db.exec('PRAGMA busy_timeout = 50')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

async function refuseForeign(db: Sqlite, path: string, steps: readonly Migration[]): Promise<void> {
  // In one transaction: another process may fill the new database meanwhile.
  db.exec('BEGIN')
  const version = pragma(db, 'user_version')
  const application = pragma(db, 'application_id')
  const isForeign = application !== applicationId && (application !== 0 || version !== 0 || hasTables(db))
  const isNewer = version > steps.length
  // What is in memory is nobody else's.
  const parts = isForeign || isNewer || isInMemory(path) ? undefined : partsOf(db)
  db.exec('COMMIT')
  if (isForeign) throw new StoreFailure('db_unusable', path, 'is not a database of this service', 'name another file')
  if (isNewer)
    throw new StoreFailure(
      'db_newer',
      path,
      `was written by a newer version (schema ${version}, this one knows ${steps.length})`,
      'upgrade vatom, or name another file',
    )
  const difference = parts && (await differenceFrom(steps.slice(0, version), parts))
  if (difference === undefined) return
  const { problem, undo } = difference
  const remedy = undo && `take it out: ${['sqlite3', path, undo].map(shellWord).join(' ')}`
  const others = 'name another file, or an earlier copy of this one'
  throw new StoreFailure('db_unusable', path, problem, remedy ? `${remedy}; or ${others}` : others, { remedy })
}

/** Waits for a lock, which SQLite does not do when the journal mode changes. */
function useWal(db: Sqlite, deadline = Date.now() + openTimeout): void {
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/** A service that has such a database open is of that version, too, and would go on with one that it does not know. */
function refuseServed(path: string, servedAt: string | undefined): void {
  if (servedAt === undefined) return
  throw new StoreFailure(
    'db_busy',
    path,
    `is used by an earlier version of vatom serve at ${servedAt}`,
    'stop that, and try again: this version then upgrades the database; afterwards start vatom serve again',
  )
}

function migrate(db: Sqlite, path: string, steps: readonly Migration[], servedAt: string | undefined): void {
  const found = pragma(db, 'user_version')
  if (found === steps.length) return
  if (found > 0 && !isInMemory(path)) {
    refuseServed(path, servedAt)
    backUp(db, path, found)
  }
  db.exec('BEGIN IMMEDIATE')
  try {
    const version = pragma(db, 'user_version')
    if (version === 0 && steps === migrations) db.exec(schema)
    else for (const step of steps.slice(version)) db.exec(step.sql)
    db.exec(`PRAGMA user_version = ${steps.length}; PRAGMA application_id = ${applicationId}`)
    db.exec('COMMIT')
  } catch (error) {
    rollBack(db)
    throw error
  }
}

const pragma = (db: Sqlite, name: 'user_version' | 'application_id') => Number(firstValue(db, `PRAGMA ${name}`))
const hasTables = (db: Sqlite) => Number(firstValue(db, 'SELECT count(*) FROM sqlite_schema')) > 0

/** Another process has locked the database for too long. */
const databaseBusy = (path: string): StoreFailure =>
  new StoreFailure('db_busy', path, 'is in use by another process', 'try again when that process has finished')

/** What an open store refuses, as one that tells the user of a command what to do; that the data has changed as it is. */
function refusalOf(error: ApiError, path: string): Error {
  if (error.kind === 'dataChanged') return error
  if (error.kind === 'outdated')
    return new StoreFailure('db_newer', path, 'was upgraded by a newer version of vatom meanwhile', 'upgrade vatom')
  if (error instanceof FilesChanged)
    return new StoreFailure('db_unusable', path, `cannot be used: ${error.fact} meanwhile`, error.remedies.command)
  return databaseBusy(path)
}

/** A failure of SQLite or of the file system, as one that tells a user what to do; other errors as they are. */
export function explained(error: unknown, path: string): unknown {
  if (error instanceof StoreFailure) return error
  if (error instanceof ApiError) return refusalOf(error, path)
  if (isBusy(error)) return databaseBusy(path)
  if (isUnusable(error) || isFileError(error))
    return unusable(path, isDiskFull(error) ? diskFull : fileMessage(error), writeRemedy(error) ?? moveAway(path), {
      cause: error,
    })
  return error
}

/** Its log has what was stored last: without that, the file cannot be repaired, and SQLite removes it beside a new one. */
function moveAway(path: string): string {
  const [file = '', ...beside] = filesOf(realPath(path))
    .filter((one) => existsSync(one))
    .map((one) => basename(one))
  return beside.length > 0 ? `move ${[file, ...beside].join(' and ')} away together` : 'move it away'
}

/** What SQLite says, if not always. */
const diskFull = 'database or disk is full'

const unusable = (path: string, reason: string, remedy: string, options?: ErrorOptions) =>
  new StoreFailure('db_unusable', path, `cannot be used: ${reason}`, `name another file, or ${remedy}`, {
    ...options,
    remedy,
  })
