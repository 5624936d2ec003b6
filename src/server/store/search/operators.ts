import { type RawBuilder, sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { piecesOf } from '../../../contract/rules/query-cost.ts'
import type { filterOps } from '../../../contract/values.ts'
import type { Sqlite } from '../database/sqlite.ts'
import type { Field } from './fields.ts'
import { type Needle, needleOf } from './linear-search.ts'

/** A condition on a vAtom, in SQL; never null. */
export type Condition = RawBuilder<unknown>
type Op = (typeof filterOps)[number]

const never = sql`0`
const signs: Readonly<Record<Exclude<Op, 'Ne' | 'Match'>, Condition>> = {
  Eq: sql`=`,
  Ge: sql`>=`,
  Gt: sql`>`,
  Le: sql`<=`,
  Lt: sql`<`,
}

/** A column by which SQLite does not choose an index: which one is walked is chosen in `search.ts`. */
export const unindexed = (column: string): Condition => sql`+${sql.ref(column)}`

/** The value of a field. */
export const fieldValue = (field: Field): Condition =>
  field.kind === 'custom' ? sql`json_extract(json, ${field.jsonPath})` : unindexed(field.column)

/** A field compared with a value by an operator. Spec 4.4. */
export function compare(field: Field, op: Op, value: string): Condition {
  if (op === 'Ne') return sql`NOT ${compare(field, 'Eq', value)}`
  if (field.kind === 'text') return columnCondition(unindexed(field.column), op, value)
  return field.kind === 'truth' ? truthCondition(field.column, op, value) : customCondition(field.jsonPath, op, value)
}

/** The text of a column, which is looked at only where it is long enough for a value that takes long to look for. */
const columnCondition = (text: Condition, op: Exclude<Op, 'Ne'>, value: string): Condition =>
  op === 'Match' && takesLong(value)
    ? sql`(octet_length(${text}) >= ${bytesOf(value)} AND ${matches(text, value)})`
    : textCondition(text, op, value)

/** Bytes of a text that contains a value, at least. */
const bytesOf = (value: string): number => Buffer.byteLength(piecesOf(value).join(''))

/** Text is ordered by code point, which is the order of its bytes. */
const textCondition = (text: Condition, op: Exclude<Op, 'Ne'>, value: string): Condition =>
  op === 'Match' ? matches(text, value) : sql`(${text} ${signs[op]} ${value})`

function truthCondition(column: string, op: Exclude<Op, 'Ne'>, value: string): Condition {
  if (op === 'Match') return columnCondition(sql`iif(${unindexed(column)}, 'true', 'false')`, op, value)
  return isTruth(value) ? sql`(${unindexed(column)} ${signs[op]} ${value === 'true' ? 1 : 0})` : never
}

const isTruth = (value: string) => value === 'true' || value === 'false'
const isNumber = (value: string) => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value))

/** A custom property is compared by its own type: text, number or truth value; others match nothing. */
function customCondition(path: string, op: Exclude<Op, 'Ne'>, value: string): Condition {
  const type = sql`json_type(json, ${path})`
  const found = sql`json_extract(json, ${path})`
  const cases = [sql`WHEN 'text' THEN ${textCondition(found, op, value)}`]
  if (op === 'Match') cases.push(...['integer', 'real'].map((kind) => numberMatch(kind, found, value)))
  else if (isNumber(value)) cases.push(...['integer', 'real'].map((kind) => whenType(kind, found, op, Number(value))))
  else if (isTruth(value))
    cases.push(...['true', 'false'].map((kind) => whenType(kind, found, op, value === 'true' ? 1 : 0)))
  return sql`(CASE ${type} ${sql.join(cases, sql` `)} ELSE 0 END)`
}

const whenType = (kind: string, found: Condition, op: Exclude<Op, 'Ne' | 'Match'>, value: number): Condition =>
  sql`WHEN ${sql.lit(kind)} THEN (${found} ${signs[op]} ${value})`
const numberMatch = (kind: string, found: Condition, value: string): Condition =>
  sql`WHEN ${sql.lit(kind)} THEN ${matches(sql`CAST(${found} AS TEXT)`, value)}`

const functionName = 'vatom_match'

/** Characters of a value above which SQLite takes longer to find it: it compares all of the value wherever that may begin. */
const long = 32

/** Whether a value is looked for by a function of ours, for which it is handed over for each vAtom. */
const takesLong = (value: string): boolean => value.length > long || value.includes('*')

/** How many values of a search take long to look for. */
export const longMatches = (elements: readonly { readonly filter_op: Op; readonly value: string }[]): number =>
  elements.filter(({ filter_op, value }) => filter_op === 'Match' && takesLong(value)).length

/** Whether a text contains a value in which `*` stands for any run of characters. Spec 4.4. */
export const matches = (text: RawBuilder<unknown>, value: string): RawBuilder<unknown> =>
  takesLong(value) ? sql`${sql.raw(functionName)}(${text}, ${value})` : sql`(instr(${text}, ${value}) > 0)`

/** Adds the function to a connection that `matches` needs for long values, and those with a `*`. */
export const addMatch = (db: Sqlite): void =>
  db.function(functionName, { deterministic: true }, (text, value) => (contains(String(text), String(value)) ? 1 : 0))

/** Finds the pieces between the stars one after the other, each where it first occurs. */
function contains(text: string, pattern: string): boolean {
  let from = 0
  for (const { length, indexIn } of cachedPieces(pattern)) {
    const found = indexIn(text, from)
    if (found < 0) return false
    from = found + length
  }
  return true
}

/** The pieces of the patterns that were looked for last: each is looked for in every vAtom. */
const pieces = new Map<string, readonly Needle[]>()

function cachedPieces(pattern: string): readonly Needle[] {
  const known = pieces.get(pattern)
  if (known) return known
  const found = piecesOf(pattern).map(needleOf)
  if (pieces.size >= limits.matches * 2) pieces.clear()
  pieces.set(pattern, found)
  return found
}
