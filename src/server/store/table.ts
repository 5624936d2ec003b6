import { quoted, type SqlValue } from './database/sqlite.ts'
import { type Query, statement } from './query.ts'

/** A column: how SQLite stores it, and what its values are here. */
export interface Column<Value extends SqlValue = SqlValue> {
  readonly type: 'TEXT' | 'INTEGER' | 'REAL'
  readonly isNullable: boolean
  /** Written when the row is inserted; `update` does not change it. */
  readonly isFixed: boolean
  /** Only carries the type of a value. */
  readonly value?: Value
}

/** Truth as SQLite stores it. */
export type Bit = 0 | 1
export const bit = (value: boolean): Bit => (value ? 1 : 0)
/** A new value; the one before if none is given. */
export const bitOr = (before: Bit, value: boolean | undefined): Bit => (value === undefined ? before : bit(value))

const column = <Value extends SqlValue>(type: Column['type']): Column<Value> => ({
  type,
  isNullable: false,
  isFixed: false,
})

export const text = column<string>('TEXT')
export const integer = column<number>('INTEGER')
export const real = column<number>('REAL')
export const truth = column<Bit>('INTEGER')
export const nullable = <Value extends SqlValue>(column: Column<Value>): Column<Value | null> => ({
  ...column,
  isNullable: true,
})
export const fixed = <Value extends SqlValue>(column: Column<Value>): Column<Value> => ({ ...column, isFixed: true })

type Columns = Readonly<Record<string, Column>>
type Name<C extends Columns> = keyof C & string
type Values<C extends Columns> = {
  readonly [K in keyof C]: C[K] extends Column<infer Value extends SqlValue> ? Value : never
}

/** A row of a table as it is read. */
export type RowOf<T extends { readonly columns: Columns }> = Values<T['columns']>
/** A row to insert, without `seq`: SQLite numbers rows there. */
export type NewRowOf<T extends { readonly columns: Columns }> = Omit<RowOf<T>, 'seq'>

/** A page of a list. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** A page of what belongs to a publisher. */
export interface PublisherPage extends Page {
  readonly publisher: string
}

/** What to read: the rows that have the values given for `where`. */
interface Reading<C extends Columns, Where extends Name<C>, Read extends Name<C>> {
  readonly where?: readonly Where[]
  readonly order?: readonly (Name<C> | `${Name<C>} DESC`)[]
  /** All columns unless given. */
  readonly read?: readonly Read[]
}

/**
 * Declares a table: its columns and its key. Every statement that follows from them is written at its first use. A new
 * column is added here and in `migrations.ts`. Statements beyond a single table are declared with `query`.
 */
export function table<const C extends Columns, const K extends Name<C>>(
  name: string,
  { key, columns }: { readonly key: readonly K[]; readonly columns: C },
) {
  type Row = Values<C>
  type NewRow = Omit<Row, 'seq'>
  const all = Object.keys(columns)
  const inserted = all.filter((column): column is Exclude<Name<C>, 'seq'> => column !== 'seq')
  const changing = inserted.filter((column) => !columns[column]?.isFixed && !named(key, column))
  const byKey = `WHERE ${equal(key, ' AND ')}`
  const insertion = () => `INTO ${name} (${listed(inserted)}) VALUES (${inserted.map(() => '?').join(', ')})`
  const setting = (names: readonly string[]) => ({
    sql: `UPDATE ${name} SET ${equal(names, ', ')} ${byKey}`,
    names: [...names, ...key],
  })
  const reading = <W extends Name<C>, R extends Name<C>>({ where = [], order = [], read }: Reading<C, W, R>) => ({
    sql: `SELECT ${listed(read ?? all)} FROM ${name}${filter(where)}${ordering(order)}`,
    names: where,
  })
  return {
    name,
    columns,
    /** The columns but for `seq`. */
    fields: inserted,
    insert: statement<NewRow>(() => ({ sql: `INSERT ${insertion()}`, names: inserted })),
    /** Inserts a row, or replaces the one with its key. */
    replace: statement<NewRow>(() => ({ sql: `REPLACE ${insertion()}`, names: inserted })),
    find: statement<Pick<Row, K>, Row>(() => ({ sql: `SELECT ${listed(all)} FROM ${name} ${byKey}`, names: key })),
    /** Writes all columns but the key and the fixed ones. */
    update: statement<Row>(() => setting(changing)),
    remove: statement<Pick<Row, K>>(() => ({ sql: `DELETE FROM ${name} ${byKey}`, names: key })),
    /** Writes some columns. */
    set: <S extends Name<C>>(...names: readonly S[]): Query<Pick<Row, K | S>, unknown> =>
      statement(() => setting(names)),
    select: <W extends Name<C> = never, R extends Name<C> = Name<C>>(
      what: Reading<C, W, R>,
    ): Query<Pick<Row, W>, Pick<Row, R>> => statement(() => reading(what)),
    /** As `select`, but one page. */
    page: <W extends Name<C> = never, R extends Name<C> = Name<C>>(
      what: Reading<C, W, R>,
    ): Query<Pick<Row, W> & Page, Pick<Row, R>> =>
      statement(() => {
        const { sql, names } = reading(what)
        return { sql: `${sql} LIMIT ? OFFSET ?`, names: [...names, 'limit', 'offset'] }
      }),
    count: <W extends Name<C>>(...where: readonly W[]): Query<Pick<Row, W>, { readonly count: number }> =>
      statement(() => ({ sql: `SELECT count(*) AS count FROM ${name}${filter(where)}`, names: where })),
  }
}

const named = (names: readonly string[], name: string) => names.includes(name)
const listed = (names: readonly string[]) => names.map(quoted).join(', ')
const equal = (names: readonly string[], separator: string) =>
  names.map((name) => `${quoted(name)} = ?`).join(separator)
const filter = (where: readonly string[]) => (where.length === 0 ? '' : ` WHERE ${equal(where, ' AND ')}`)
const ordering = (order: readonly string[]) =>
  order.length === 0 ? '' : ` ORDER BY ${order.map((one) => one.replace(/^\w+/, quoted)).join(', ')}`
