import { ownSettings } from '../settings.ts'
import type { Sqlite } from './sqlite.ts'

const ownKeys = ownSettings.map((key) => `'${key}'`).join(', ')
/** Never copied: a session that ended stays ended, and one that goes on is not ended. */
const sessions = 'sessions'
/** Never copied: with a code that was sent to a user, somebody else could sign in. */
const sent = ['codes', 'outbox'] as const
/** The events for connected clients stay: nobody receives anything twice, or misses what came before. */
const events = 'events'

/** Writes everything into a new file, as it is at one moment; not inside a transaction. */
export const copyInto = (db: Sqlite, file: string): void => void db.prepare('VACUUM INTO ?').run(file)

/** Takes out of a copy what lets somebody act for its users, and what they were sent. */
export function removeSecrets(copy: Sqlite): void {
  copy.exec('PRAGMA secure_delete = ON; BEGIN')
  for (const table of [sessions, events, ...sent]) copy.exec(`DELETE FROM ${table}`)
  copy.exec(`DELETE FROM settings WHERE key IN (${ownKeys}); COMMIT`)
}

/**
 * Replaces everything by what a database in a file has; call it in a write, with the file
 * attached as `source`. Sessions of users who are in both go on.
 */
export function replaceContents(db: Sqlite): void {
  refill(db, (tables) => {
    for (const table of tables) {
      const columns = columnsOf(db, table)
      db.exec(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM source."${table}"${restriction(table)}`)
    }
  })
}

/** Deletes everything that is there, in a write; `save` reads what is to stay and answers what restores it. */
export function emptyContents(db: Sqlite, save: () => () => void): void {
  refill(db, save())
}

function refill(db: Sqlite, fill: (tables: readonly string[]) => void): void {
  const left = [sessions, events]
  const tables = tablesOf(db).filter((name) => !left.includes(name) && !name.startsWith('sqlite_'))
  withoutTriggers(db, () => {
    db.exec(`CREATE TEMP TABLE saved_sessions AS SELECT * FROM main.${sessions}`)
    for (const table of [sessions, ...tables]) db.exec(`DELETE FROM main."${table}"${restriction(table)}`)
    fill(tables)
    db.exec(
      `INSERT INTO main.${sessions} SELECT * FROM temp.saved_sessions WHERE user_id IN (SELECT id FROM main.users)`,
    )
    db.exec('DROP TABLE temp.saved_sessions')
  })
}

/** The triggers that protect the ledger are dropped and made again, which only this transaction sees. */
function withoutTriggers(db: Sqlite, work: () => void): void {
  const triggers = triggersOf(db)
  db.exec('PRAGMA defer_foreign_keys = ON')
  for (const { name } of triggers) db.exec(`DROP TRIGGER main."${name}"`)
  work()
  for (const { sql } of triggers) db.exec(sql)
}

const restriction = (table: string) => (table === 'settings' ? ` WHERE key NOT IN (${ownKeys})` : '')

interface Definition {
  readonly name: string
  readonly sql: string
}

const triggersOf = (db: Sqlite) =>
  db.prepare("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'").all() as Definition[]

/** Those that have rows of their own: what a virtual table keeps its rows in is filled as that is. */
function tablesOf(db: Sqlite): string[] {
  const found = db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'").all()
  return (found as Pick<Definition, 'name'>[]).map(({ name }) => name)
}

function columnsOf(db: Sqlite, table: string): string {
  const columns = db.prepare(`PRAGMA main.table_info("${table}")`).all() as { readonly name: string }[]
  return columns.map(({ name }) => `"${name}"`).join(', ')
}
