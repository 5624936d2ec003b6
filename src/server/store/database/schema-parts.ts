import { nameList } from '../../../contract/schema/suggest.ts'
import { type Migration, migrations } from '../migrations.ts'
import { schema } from '../schema.ts'
import { openSqlite, quoted, type Sqlite } from './sqlite.ts'

/** A table, index, view or trigger of a database. */
interface Part {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** Tables that SQLite makes by itself. They have names and types of columns alone, so nothing in them is computed. */
const ofSqlite = /^CREATE TABLE "?(?:sqlite_(?:sequence|stat\d)|positions_(?:rowid|node|parent))"?\([\w ,]*\)$/

/** What a database consists of, without what SQLite makes by itself. */
export function partsOf(db: Sqlite): Part[] {
  const parts = db.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all() as Part[]
  return parts.filter(({ sql }) => !ofSqlite.test(sql))
}

/** Whether a part takes no part in statements of others, as the tables do that tools for copies keep in a database. */
const isBesides = ({ type, sql }: Part) => type === 'table' && !/^CREATE VIRTUAL /i.test(sql)

/** How a database differs from what this service has made. */
interface Difference {
  /** As it follows the name of the database in a sentence. */
  readonly problem: string
  /** The statement of SQL that takes out what was added; undefined where that is not all. */
  readonly undo?: string
}

/**
 * How the parts of a database differ from what the first steps of the schema make; undefined if they do not. A trigger or a
 * view that somebody else made would run within our statements, and may never end.
 */
export async function differenceFrom(
  steps: readonly Migration[],
  parts: readonly Part[],
): Promise<Difference | undefined> {
  const expected = (await statementsOf(steps)).map((sql) => ({ sql, ...headOf(sql) }))
  const [ours, found] = [new Set(expected.map(({ sql }) => sql)), new Set(parts.map(({ sql }) => sql))]
  const other = parts.find((part) => !ours.has(part.sql) && !isBesides(part))
  if (other) return expected.some(({ name }) => name === other.name) ? { problem: isChanged(other) } : added(other)
  const missing = expected.find(({ sql }) => !found.has(sql))
  if (missing === undefined) return undefined
  const inItsPlace = parts.find(({ name }) => name === missing.name)
  if (inItsPlace) return await changed(missing, inItsPlace)
  return { problem: `lacks what this service has made: the ${missing.type} ${missing.name}` }
}

const added = ({ type, name }: Part): Difference => ({
  problem: `has what this service has not made: the ${type} ${name}`,
  undo: `DROP ${type.toUpperCase()} ${quoted(name)}`,
})

const isChanged = ({ type, name }: Omit<Part, 'sql'>): string =>
  `has the ${type} ${name} not as this service has made it`

async function changed(ours: Part, found: Part): Promise<Difference> {
  const problem = isChanged(ours)
  const columns = await addedColumns(ours, found)
  if (columns.length === 0) return { problem }
  return {
    problem: `${problem}: it has the column${columns.length === 1 ? '' : 's'} ${nameList(columns)}`,
    undo: removals(ours, columns).join('; '),
  }
}

/**
 * The columns behind all others without which a table is as ours, as is tried with both in memory; none where there are none,
 * or where SQLite refuses to remove them.
 */
async function addedColumns(ours: Part, found: Part): Promise<string[]> {
  try {
    const known = await inMemory((db) => columnsOf(db, ours).length)
    return await inMemory((db) => {
      const columns = columnsOf(db, found).slice(known)
      for (const statement of removals(found, columns)) db.exec(statement)
      return partsOf(db).some(({ sql }) => sql === ours.sql) ? columns : []
    })
  } catch {
    return []
  }
}

/** Makes a table and reads the names of its columns, also of those that are computed. A prepared statement is one alone. */
function columnsOf(db: Sqlite, { name, sql }: Part): string[] {
  db.prepare(sql).run()
  const columns = db.prepare('SELECT name FROM pragma_table_xinfo(?)').all(name) as Pick<Part, 'name'>[]
  return columns.map((column) => column.name)
}

/** The statements that remove columns of a table, the last first: it may be computed from others. */
const removals = ({ name }: Part, columns: readonly string[]): string[] =>
  columns.map((column) => `ALTER TABLE ${quoted(name)} DROP COLUMN ${quoted(column)}`).reverse()

/** The type and name of a part of ours. */
function headOf(sql: string): Omit<Part, 'sql'> {
  const [, type = '', name = ''] = /^CREATE (?:VIRTUAL )?(\w+) (\w+)/.exec(sql) ?? []
  return { type: type.toLowerCase(), name }
}

/** The statements of the parts that steps make. For all of them they are known; others are carried out. */
async function statementsOf(steps: readonly Migration[]): Promise<string[]> {
  if (steps.length === migrations.length && steps.every((step, index) => step === migrations[index]))
    return ofAllSteps()
  return await inMemory((db) => {
    for (const { sql } of steps) db.exec(sql)
    return partsOf(db).map(({ sql }) => sql)
  })
}

/** Looks something up in a new database. */
async function inMemory<T>(look: (db: Sqlite) => T): Promise<T> {
  const db = await openSqlite(':memory:')
  try {
    return look(db)
  } finally {
    db.close()
  }
}

const ofAllSteps = () =>
  schema
    .trim()
    .slice(0, -1)
    .split(/;\n(?=CREATE )/)
