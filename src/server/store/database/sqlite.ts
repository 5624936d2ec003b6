import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { at } from '../../../contract/schema/path.ts'
import type { ServiceFailureCode } from '../../../contract/service-failures.ts'
import { codeOf } from '../../../file-system.ts'
import { nextTurn } from '../next-turn.ts'

/** A value SQLite stores. */
export type SqlValue = string | number | null

/** A prepared statement, as both providers have it. */
export interface Statement {
  get(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}

/** An open database: the part of `node:sqlite` that the store uses. */
export interface Sqlite {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
  function(
    name: string,
    options: { deterministic: boolean },
    body: (...values: (SqlValue | Uint8Array)[]) => SqlValue,
  ): void
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { timeout?: number }) => Sqlite
}

const oldestSqlite = [3, 51, 3] as const
const oldestNode = [22, 13] as const

const packageName = '@photostructure/sqlite'

/**
 * Opens a database with Node's SQLite if that is recent enough, else with the package that replaces it. Throws
 * `sqlite_missing` where that is not installed.
 */
export async function openSqlite(path: string): Promise<Sqlite> {
  const { DatabaseSync } = await loadSqlite()
  return new DatabaseSync(path)
}

/** Loads what databases are opened with. Throws as `openSqlite` does. */
export const loadSqlite = async (): Promise<SqliteModule> => builtIn() ?? (await dropIn())

/**
 * Has databases that were closed give back their memory: the package leaves their statements, and with them all memory, to
 * the garbage collector, which does not know how much that is. Node's SQLite gives it back when it closes.
 */
export async function freeClosed(): Promise<void> {
  if (hasBuiltIn()) return
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') return
  // What was collected is freed in the next turn, and what that held is collected after it.
  for (let time = 0; time < 2; time++) {
    collect()
    await nextTurn()
  }
}

async function dropIn(): Promise<SqliteModule> {
  try {
    const found: unknown = await import('@photostructure/sqlite')
    return found as SqliteModule
  } catch (error) {
    throw codeOf(error) === 'MODULE_NOT_FOUND' ? new SqliteMissing(String(at(error, 'requireStack', 0))) : error
  }
}

/** Neither Node nor a package has SQLite; `hint` says how to install it. */
class SqliteMissing extends Error {
  override readonly name = 'SqliteMissing'
  readonly code = 'sqlite_missing' satisfies ServiceFailureCode
  readonly hint: string

  constructor(importer: string) {
    const { version, versions } = process
    const has = versions.sqlite ?? 'none'
    super(`the service on this machine needs SQLite ${oldestSqlite.join('.')} or newer, and Node ${version} has ${has}`)
    this.hint = `install it beside vatom: ${installCommand(importer)}; or use a newer Node`
  }
}

/** The command that installs SQLite where a file of ours, such as `…/node_modules/vatom/bin/launch.js`, finds it. */
function installCommand(importer: string): string {
  const modules = importer.search(/[\\/]node_modules[\\/]vatom[\\/]bin[\\/][^\\/]*$/)
  const folder = modules < 0 ? dirname(dirname(importer)) : importer.slice(0, modules)
  const where = existsSync(join(folder, 'package.json'))
    ? `--prefix "${folder}"`
    : `--global --prefix "${folder.replace(/[\\/]lib$/, '')}"`
  return `npm install ${where} ${packageName}@1`
}

/** The module that databases are opened with. */
export const sqliteProvider = (): string => (hasBuiltIn() ? 'node:sqlite' : packageName)

const hasBuiltIn = () => atLeast(process.versions.node, oldestNode) && atLeast(process.versions.sqlite, oldestSqlite)

function builtIn(): SqliteModule | undefined {
  if (!hasBuiltIn()) return undefined
  return withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite') as SqliteModule | undefined)
}

/** Whether a dotted version is not older than another. */
export function atLeast(version: string | undefined, oldest: readonly number[]): boolean {
  if (version === undefined) return false
  const parts = version.split('.').map(Number)
  const difference = oldest.map((part, index) => (parts[index] ?? 0) - part).find((delta) => delta !== 0)
  return (difference ?? 0) >= 0
}

/** Loads without the warning of Node 22 that its SQLite is experimental; other warnings are shown. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const emit = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes('SQLite is an experimental feature')) return
    Reflect.apply(emit, process, [warning, ...rest])
  }) as typeof process.emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = emit
  }
}

/** A name in a statement: a file that somebody made can have any. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The first column of the first row of a query. */
export const firstValue = (db: Pick<Sqlite, 'prepare'>, sql: string): unknown =>
  Object.values(Object(db.prepare(sql).get()))[0]

/**
 * Rolls back what has begun. It throws nothing: what failed before is what is to be reported, and SQLite may have rolled
 * back by itself, as it does on a full disk.
 */
export function rollBack(db: Pick<Sqlite, 'exec'>, sql = 'ROLLBACK'): void {
  try {
    db.exec(sql)
  } catch {}
}

/** The primary result code of an error of SQLite; 0 for other errors. */
const resultCode = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : 0

/** Whether another connection has the lock that this one needs. */
export const isBusy = (error: unknown): boolean => [5, 6].includes(resultCode(error))
/** Whether the database may not grow any more, or its disk is full. */
export const isFull = (error: unknown): boolean => resultCode(error) === 13
/** Whether the file is not a database, cannot be opened or written to, or is damaged. */
export const isUnusable = (error: unknown): boolean => [3, 8, 10, 11, 13, 14, 23, 26].includes(resultCode(error))
