import { sql } from 'kysely'
import type { Discover } from '../../../contract/api/discover.ts'
import { currentUser } from '../../../contract/values.ts'
import { fieldNamed } from './fields.ts'
import { type Condition, compare, longMatches, unindexed } from './operators.ts'

type Group = NonNullable<Discover['filters']>[number]
type Element = Group['filter_elems'][number]

/** How many comparisons, or values, are of what may be long. */
export interface OfLong {
  /** Of the text of a vAtom. */
  readonly texts: number
  /** Of its category. */
  readonly categories: number
}

/** What must hold for a vAtom. */
export interface Filter extends OfLong {
  readonly holds: Condition
  /** How many of its values take long to look for. */
  readonly longMatches?: number
}

const always = sql`1`
/** The field has one of up to five values. Spec 4.4. */
export function scopeFilter(key: string, values: readonly string[]): Filter {
  const field = fieldNamed(key)
  const counts = countsOf(values.map(() => key))
  if (field.kind === 'text') return { holds: sql`${unindexed(field.column)} IN (${sql.join(values)})`, ...counts }
  return { holds: anyOf(values.map((value) => compare(field, 'Eq', value))), ...counts }
}

/** How many fields of those names are of what may be long. */
export const countsOf = (names: readonly string[]): OfLong => {
  const fields = names.map(fieldNamed)
  return {
    texts: fields.filter(({ kind }) => kind === 'custom').length,
    categories: fields.filter((field) => field.kind === 'text' && field.column === 'category').length,
  }
}

/** How many values of filters take long to look for. */
export const longMatchesOf = (filters: readonly Filter[]): number =>
  filters.reduce((sum, { longMatches = 0 }) => sum + longMatches, 0)

/** Filters as one, which `join` makes of their conditions. */
export const joined = (filters: readonly Filter[], join: (conditions: readonly Condition[]) => Condition): Filter => ({
  holds: join(filters.map(({ holds }) => holds)),
  texts: filters.reduce((sum, { texts }) => sum + texts, 0),
  categories: filters.reduce((sum, { categories }) => sum + categories, 0),
  longMatches: longMatchesOf(filters),
})

/** The values of a scope; `$currentuser` is the caller. Spec 4.4. */
export const scopeValues = (value: string, caller: string): string[] =>
  value.split(',').map((one) => callerOr(one.trim(), caller))

/** The filters of groups, all of which must hold. Spec 4.4. */
export const filtersOf = (groups: readonly Group[], caller: string): Filter[] =>
  groups
    .filter(({ filter_elems }) => filter_elems.length > 0)
    .map(({ filter_elems }) => ({
      holds: groupOf(filter_elems, caller),
      ...countsOf(filter_elems.map(({ field }) => field)),
      longMatches: longMatches(filter_elems),
    }))

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
  return compare(fieldNamed(field), filter_op, callerOr(value, caller))
}

/** A value that a field is compared with; `$currentuser` is the caller. Spec 4.4. */
export const callerOr = (value: string, caller: string): string => (value === currentUser ? caller : value)

/** Whether one of several conditions holds. */
export const anyOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`0` : sql`(${sql.join(conditions, sql` OR `)})`
/** Whether all of several conditions hold. */
export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? always : sql.join(conditions, sql` AND `)
