import { type Migration, migrations } from '../migrations.ts'
import { schema } from '../schema.ts'
import { openSqlite, type Sqlite } from './sqlite.ts'

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

/**
 * How the parts of a database differ from what the first steps of the schema make, as it follows its name in a sentence;
 * undefined if they do not. A trigger or a view that somebody else made would run within our statements, and may never end.
 */
export async function differenceFrom(steps: readonly Migration[], parts: readonly Part[]): Promise<string | undefined> {
  const [expected, found] = [new Set(await statementsOf(steps)), new Set(parts.map(({ sql }) => sql))]
  const other = parts.find((part) => !expected.has(part.sql) && !isBesides(part))
  if (other) return `has what this service has not made: the ${other.type} ${other.name}`
  const missing = [...expected].find((sql) => !found.has(sql))
  return missing && `lacks what this service has made: the ${nameIn(missing)}`
}

/** The type and name of a part of ours. */
const nameIn = (sql: string): string => sql.replace(/^CREATE (?:VIRTUAL )?(\w+) (\w+).*/s, '$1 $2').toLowerCase()

/** The statements of the parts that steps make. For all of them they are known; others are carried out. */
async function statementsOf(steps: readonly Migration[]): Promise<string[]> {
  if (steps.length === migrations.length && steps.every((step, index) => step === migrations[index]))
    return ofAllSteps()
  const db = await openSqlite(':memory:')
  try {
    for (const { sql } of steps) db.exec(sql)
    return partsOf(db).map(({ sql }) => sql)
  } finally {
    db.close()
  }
}

const ofAllSteps = () =>
  schema
    .trim()
    .slice(0, -1)
    .split(/;\n(?=CREATE )/)
