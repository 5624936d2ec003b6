import { type CompiledQuery, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Sqlite, SqlValue, Statement } from './database/sqlite.ts'
import type { Tables } from './tables.ts'

/**
 * Builds SQL and never runs it: statements run synchronously on the one connection, so that no other request can
 * come between the statements of a transaction.
 */
export const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

interface Compilable<Row> {
  compile(executor: typeof builder): CompiledQuery<Row>
}

/** A parameter of a statement, by the name of its value. */
class Slot {
  constructor(readonly name: string) {}
}

/** A statement with named values: compiled once, prepared once for each connection. */
export interface Query<Values, Row> {
  readonly sql: () => string
  readonly bind: (values: Values) => SqlValue[]
  /** Only carries the type of a row. */
  readonly row?: Row
}
/** The values that a statement is run with. */
export type ValuesOf<Q> = Q extends Query<infer Values, unknown> ? Values : never

/** A statement as SQL; `names` are those of the values of its parameters, in their order. */
interface Written {
  readonly sql: string
  readonly names: readonly string[]
}

/** Declares a statement that is written at its first use. */
export const statement = <Values extends object, Row = unknown>(write: () => Written): Query<Values, Row> =>
  declared(() => {
    const { sql, names } = write()
    return { sql, parameters: names.map((name) => new Slot(name)) }
  })

/**
 * Declares a statement that is built and compiled at its first use:
 * `query<{ id: string }>()((value) => builder.selectFrom('users').where('id', '=', value.id))`.
 */
export const query =
  <Values extends object = Record<never, never>>() =>
  <Row>(build: (value: Values) => Compilable<Row>): Query<Values, Row> =>
    declared(() => build(slots<Values>()).compile(builder))

/** SQL and its parameters, each a slot or a value of its own. */
type Compiled = Pick<CompiledQuery, 'sql' | 'parameters'>

function declared<Values extends object, Row>(compile: () => Compiled): Query<Values, Row> {
  let compiled: Compiled | undefined
  const ready = () => {
    compiled ??= compile()
    return compiled
  }
  return {
    sql: () => ready().sql,
    bind: (values) => ready().parameters.map((parameter) => filled(parameter, values)),
  }
}

/** Has a slot for every name: kysely passes it on as a parameter. */
const slots = <Values extends object>(): Values => new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values

const filled = (parameter: unknown, values: object): SqlValue =>
  stored(parameter instanceof Slot ? Reflect.get(values, parameter.name) : parameter)

const stored = (value: unknown): SqlValue => (value === undefined ? null : storable(value as SqlValue))

/** SQLite ends a text at U+0000, which no name or number contains: U+FFFD replaces it. */
const storable = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value

const composedMax = 100

/** A prepared statement, and the tables that it changes. */
interface Prepared {
  readonly statement: Statement
  readonly changes: readonly string[]
}

/** Runs declared statements on one connection; each is prepared once. */
export class Connection {
  readonly #prepared = new Map<string, Prepared>()
  readonly #composed = new Map<string, Prepared>()

  /** `changing` is called with the names of tables before a statement changes them. */
  constructor(
    readonly db: Sqlite,
    readonly changing: (tables: readonly string[]) => void = () => undefined,
  ) {}

  /** The first row, if there is one. */
  first<Values, Row>(query: Query<Values, Row>, values: Values): Row | undefined {
    return this.#statement(query.sql()).get(...query.bind(values)) as Row | undefined
  }

  /** All rows. */
  rows<Values, Row>(query: Query<Values, Row>, values: Values): Row[] {
    return this.#statement(query.sql()).all(...query.bind(values)) as Row[]
  }

  /** The number of rows changed. */
  run<Values>(query: Query<Values, unknown>, values: Values): number {
    return Number(this.#statement(query.sql()).run(...query.bind(values)).changes)
  }

  /** Inserts a row, and returns its number (`seq`). */
  append<Values>(insert: Query<Values, unknown>, values: Values): number {
    return Number(this.#statement(insert.sql()).run(...insert.bind(values)).lastInsertRowid)
  }

  /** Rows of a statement that is built for one request; up to a hundred of them stay prepared. */
  rowsOf<Row>({ sql, parameters }: CompiledQuery<Row>): Row[] {
    return this.#passing(sql).all(...(parameters as SqlValue[]).map(storable)) as Row[]
  }

  /** The same of one that is declared for one request, which runs it several times. */
  rowsFor<Values, Row>(query: Query<Values, Row>, values: Values): Row[] {
    return this.#passing(query.sql()).all(...query.bind(values)) as Row[]
  }

  #passing(sql: string): Statement {
    if (this.#composed.size >= composedMax) this.#composed.clear()
    return this.#ready(this.#composed, sql)
  }

  #statement(sql: string): Statement {
    return this.#ready(this.#prepared, sql)
  }

  #ready(cache: Map<string, Prepared>, sql: string): Statement {
    const found = cache.get(sql) ?? { statement: this.db.prepare(sql), changes: tablesChangedBy(sql) }
    cache.set(sql, found)
    if (found.changes.length > 0) this.changing(found.changes)
    return found.statement
  }
}

/** The rows of keys, each read when it is wanted; those that are gone by then are left out. */
export function* eachOf<Key, Row>(db: Connection, find: Query<Key, Row>, keys: readonly Key[]): Generator<Row, void> {
  for (const key of keys) {
    const row = db.first(find, key)
    if (row) yield row
  }
}

/** The tables that a statement names as changed by it; not those that a foreign key or a trigger changes. */
const tablesChangedBy = (sql: string): string[] =>
  [...sql.matchAll(/\b(?:into|update|delete\s+from)\s+"?(\w+)/gi)].flatMap(([, table]) => table ?? [])
