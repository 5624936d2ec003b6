import { randomUUID } from 'node:crypto'
import type { OwnSetting } from '../settings.ts'
import { isContent } from './contents.ts'
import type { Sqlite, Statement } from './sqlite.ts'

const key: OwnSetting = 'contents_version'

/**
 * The version of what a database holds, which is stored in it once somebody asks, and removed by each write that changes what
 * somebody could lose, of whichever process: what is rolled back with a write removes nothing.
 */
export class ContentsVersion {
  readonly #db: Sqlite
  readonly #prepared = new Map<string, Statement>()
  #isChanged = false

  constructor(db: Sqlite) {
    this.#db = db
  }

  /** To be called before this connection changes tables. */
  readonly changing = (tables: readonly string[]): void => {
    this.#isChanged ||= tables.some(isContent)
  }

  /** To be called before a write; the function that it returns, after it, before it is committed. */
  readonly watch = (): (() => void) => {
    this.#isChanged = false
    return () => {
      if (this.#isChanged) this.forget()
    }
  }

  /** To be called in a write that changes the contents otherwise than by statements of the connection. */
  forget(): void {
    this.#statement('DELETE FROM settings WHERE key = ?').run(key)
  }

  /** Whether the contents are as they were when they had this version. To be called in a write. */
  is(expected: string): boolean {
    return this.#stored() === expected
  }

  /** To be called in a write: it is stored, unless it is already. */
  read(): string {
    const stored = this.#stored()
    if (stored !== undefined) return stored
    const version = randomUUID()
    this.#statement('INSERT INTO settings (key, value) VALUES (?, ?)').run(key, version)
    return version
  }

  #stored(): string | undefined {
    const row: unknown = this.#statement('SELECT value FROM settings WHERE key = ?').get(key)
    return row === undefined ? undefined : String(Object(row).value)
  }

  #statement(sql: string): Statement {
    const statement = this.#prepared.get(sql) ?? this.#db.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}
