import type { Contents } from '../../../contract/api/snapshot.ts'
import { ownSettings } from '../settings.ts'
import { trashUser } from '../vatoms/vatoms.ts'
import { firstValue, quoted, type Sqlite } from './sqlite.ts'

const ownKeys = ownSettings.map((key) => `'${key}'`).join(', ')
/** Never copied: sessions are not part of the contents, whether they go on or have ended. */
const sessions = 'sessions'
/** Never copied: with a code that was sent to a user, somebody else could sign in. */
const sent = ['codes', 'code_tries', 'outbox'] as const
/** Never copied: it has the addresses of whoever tried to sign in. */
const failures = 'login_failures'
/** Never copied: what is under way is counted, or given back, where it began. */
const underWay = 'reserved_runs'
/** Never replaced: connected clients receive each event once. */
const events = 'events'

/** Removes from a copy the runs of limited actions that are under way. */
export const removeUnderWay = (copy: Sqlite): void => copy.exec(`DELETE FROM ${underWay}`)

/** Removes from a copy what would let somebody act for its users, and what they were sent. */
export function removeSecrets(copy: Sqlite): void {
  copy.exec('PRAGMA secure_delete = ON; BEGIN')
  for (const table of [sessions, events, ...sent, failures]) copy.exec(`DELETE FROM ${table}`)
  copy.exec(`DELETE FROM settings WHERE key IN (${ownKeys}); COMMIT`)
}

/**
 * Replaces all contents by those of a database that is attached as `source`; to be called in a write. Sessions of users
 * who are in both go on; a copy that has sessions adds its own.
 */
export function replaceContents(db: Sqlite): void {
  refill(db, (tables) => {
    const columns = columnsOf(db, sessions)
    db.exec(`INSERT INTO main.${sessions} (${columns}) SELECT ${columns} FROM source.${sessions}`)
    for (const table of tables) {
      const columns = columnsOf(db, table)
      db.exec(
        `INSERT INTO main.${quoted(table)} (${columns}) SELECT ${columns} FROM source.${quoted(table)}${restriction(table)}`,
      )
    }
  })
}

/** Deletes everything, in a write; `save` is called before that, and the function that it returns after it. */
export function emptyContents(db: Sqlite, save: () => () => void): void {
  refill(db, save())
}

function refill(db: Sqlite, fill: (tables: readonly string[]) => void): void {
  const left = [sessions, events]
  const tables = tablesOf(db).filter((name) => !left.includes(name) && !name.startsWith('sqlite_'))
  // The triggers protect the ledger and delete labels; they are missing in this transaction alone.
  const triggers = triggersOf(db)
  db.exec('PRAGMA defer_foreign_keys = ON')
  for (const { name } of triggers) db.exec(`DROP TRIGGER main.${quoted(name)}`)
  db.exec(`CREATE TEMP TABLE saved_sessions AS SELECT * FROM main.${sessions}`)
  for (const table of [sessions, ...tables]) db.exec(`DELETE FROM main.${quoted(table)}${restriction(table)}`)
  fill(tables)
  db.exec(
    `INSERT OR IGNORE INTO main.${sessions} SELECT * FROM temp.saved_sessions WHERE user_id IN (SELECT id FROM main.users)`,
  )
  db.exec('DROP TABLE temp.saved_sessions')
  // A prepared statement is one alone, whatever follows in a file that somebody made.
  for (const { sql } of triggers) db.prepare(sql).run()
}

const restriction = (table: string) => (table === 'settings' ? ` WHERE key NOT IN (${ownKeys})` : '')

interface Named {
  readonly name: string
}

const triggersOf = (db: Sqlite) =>
  db.prepare("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'").all() as (Named & { sql: string })[]

/** All but shadow tables, which a virtual table fills by itself. */
function tablesOf(db: Sqlite): string[] {
  const found = db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'").all()
  return (found as Named[]).map(({ name }) => name)
}

function columnsOf(db: Sqlite, table: string): string {
  const columns = db.prepare(`PRAGMA main.table_info(${quoted(table)})`).all() as Named[]
  return columns.map(({ name }) => quoted(name)).join(', ')
}

/** How much is in a database. */
export function contentsOf(db: Sqlite): Contents {
  const count = (rows: string) => Number(firstValue(db, `SELECT count(*) FROM ${rows}`))
  return {
    templates: count('templates'),
    variations: count('variations'),
    vatoms: count('vatoms') - count(`vatoms WHERE owner = '${trashUser}'`),
    assets: count('assets'),
    users: count('users WHERE seeded = 0') - count('users WHERE deleted = 1'),
  }
}
