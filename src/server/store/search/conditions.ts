import { type RawBuilder, sql } from 'kysely'
import type { Discover } from '../../../contract/api/discover.ts'
import { currentUser } from '../../../contract/values.ts'
import type { Sqlite, SqlValue } from '../database/sqlite.ts'
import { type Field, fieldNamed } from './fields.ts'

/** A condition on a vAtom, in SQL; never null. */
export type Condition = RawBuilder<unknown>
type Group = NonNullable<Discover['filters']>[number]
type Element = Group['filter_elems'][number]
type Op = Element['filter_op']

const always = sql`1`
const never = sql`0`
const signs: Readonly<Record<Exclude<Op, 'Ne' | 'Match'>, Condition>> = {
  Eq: sql`=`,
  Ge: sql`>=`,
  Gt: sql`>`,
  Le: sql`<=`,
  Lt: sql`<`,
}

/** The field has one of up to five values. Spec 4.4. */
export function scopeCondition(key: string, values: readonly string[]): Condition {
  const field = fieldNamed(key)
  if (field.kind === 'text') return sql`${sql.ref(field.column)} IN (${sql.join(values)})`
  return anyOf(values.map((value) => compare(field, 'Eq', value)))
}

/** The values of a scope; `$currentuser` is the caller. Spec 4.4. */
export const scopeValues = (value: string, caller: string): string[] =>
  value.split(',').map((one) => (one.trim() === currentUser ? caller : one.trim()))

/** The conditions of groups, all of which must hold. Spec 4.4. */
export const filterConditions = (groups: readonly Group[], caller: string): Condition[] =>
  groups.filter(({ filter_elems }) => filter_elems.length > 0).map(({ filter_elems }) => groupOf(filter_elems, caller))

/** Strictly left to right: each element's `bool_op` joins it to the next. Spec 4.4. */
function groupOf(elements: readonly Element[], caller: string): Condition {
  const [first, ...rest] = elements
  if (!first) return always
  let joined = conditionOf(first, caller)
  let operator = first.bool_op ?? 'And'
  let joinedBy: Element['bool_op']
  for (const element of rest) {
    // AND binds more tightly in SQL: what is on its left needs parentheses if it was joined by Or.
    const left = operator === 'And' && joinedBy === 'Or' ? sql`(${joined})` : joined
    joined = sql`${left} ${sql.raw(operator === 'And' ? 'AND' : 'OR')} ${conditionOf(element, caller)}`
    joinedBy = operator
    operator = element.bool_op ?? 'And'
  }
  return sql`(${joined})`
}

function conditionOf({ field, filter_op, value }: Element, caller: string): Condition {
  return compare(fieldNamed(field), filter_op, value === currentUser ? caller : value)
}

function compare(field: Field, op: Op, value: string): Condition {
  if (op === 'Ne') return sql`NOT ${compare(field, 'Eq', value)}`
  if (field.kind === 'text') return textCondition(sql.ref(field.column), op, value)
  return field.kind === 'truth' ? truthCondition(field.column, op, value) : customCondition(field.jsonPath, op, value)
}

/** Text is ordered by code point, which is the order of its bytes. */
const textCondition = (text: Condition, op: Exclude<Op, 'Ne'>, value: string): Condition =>
  op === 'Match' ? matches(text, value) : sql`(${text} ${signs[op]} ${value})`

function truthCondition(column: string, op: Exclude<Op, 'Ne'>, value: string): Condition {
  if (op === 'Match') return matches(sql`iif(${sql.ref(column)}, 'true', 'false')`, value)
  return isTruth(value) ? sql`(${sql.ref(column)} ${signs[op]} ${value === 'true' ? 1 : 0})` : never
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

/** Whether one of several conditions holds. */
export const anyOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? never : sql`(${sql.join(conditions, sql` OR `)})`
/** Whether all of several conditions hold. */
export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? always : sql.join(conditions, sql` AND `)

const functionName = 'vatom_match'

/** Whether a text contains a value in which `*` stands for any run of characters. Spec 4.4. */
export const matches = (text: RawBuilder<unknown>, value: string): RawBuilder<unknown> =>
  value.includes('*') ? sql`${sql.raw(functionName)}(${text}, ${value})` : sql`(instr(${text}, ${value}) > 0)`

/** Adds the function to a connection that `matches` needs for values with a `*`. */
export const addMatch = (db: Sqlite): void =>
  db.function(functionName, { deterministic: true }, (text, value) => (contains(String(text), String(value)) ? 1 : 0))

/** Finds the pieces between the stars one after the other, each where it first occurs: takes linear time. */
function contains(text: string, pattern: string): SqlValue {
  let from = 0
  for (const piece of pattern.split('*')) {
    const found = text.indexOf(piece, from)
    if (found < 0) return 0
    from = found + piece.length
  }
  return 1
}
