import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Discover } from '../../../contract/api/discover.ts'
import { builder, type Connection } from '../query.ts'
import type { Page } from '../table.ts'
import { allOf, anyOf, filterConditions, scopeCondition, scopeValues } from './conditions.ts'
import { fieldNamed, ownerColumn } from './fields.ts'
import type { Condition } from './operators.ts'

/** What to search for, and for whom. Spec 4.4. */
export interface Search {
  readonly caller: string
  readonly scope?: Discover['scope']
  readonly filters?: Discover['filters']
  /** Discover containers that the scope names, by id: what their queries find counts as their contents. */
  readonly containers?: ReadonlyMap<string, Contained>
  /** Finds only so many of the newest vAtoms that have the same values in these fields. */
  readonly sample?: { readonly count: number; readonly by: readonly string[] }
}

/** The query of a discover container, for the user who searches in it. Spec 2.4. */
export interface Contained extends Pick<Search, 'scope' | 'filters'> {
  /** The page of its results that it shows; undefined: all. */
  readonly page: Page | undefined
}

/** A vAtom that was found: its record as JSON text, and its template. */
export interface Found {
  readonly json: string
  readonly template: string
}

/** Finds vAtoms that the caller owns or that are public. Spec 4.4. */
export const searchOf = (db: Connection) => ({
  /** Newest first; of those of one second, the one inserted last comes first. */
  page: (search: Search, limit: number, offset: number): Found[] => db.rowsOf<Found>(pageQuery(search, limit, offset)),
  count: (search: Search): number => db.rowsOf<{ readonly count: number }>(countQuery(search))[0]?.count ?? 0,
})

/**
 * One page as SQL: the caller's own and the public ones are two branches, each in the order of an index, merged;
 * only the rows of the page are then read whole.
 */
export function pageQuery(search: Search, limit: number, offset: number): CompiledQuery<Found> {
  // CROSS JOIN keeps the order of what stands on its left.
  return sql<Found>`SELECT vatoms.json, vatoms.template FROM
    (${keysOf(search, { limit, offset })}) AS found
    CROSS JOIN vatoms ON vatoms.seq = found.seq`.compile(builder)
}

/** The number of all results, as SQL. */
export function countQuery(search: Search): CompiledQuery<{ readonly count: number }> {
  if (search.sample)
    return sql<{ readonly count: number }>`SELECT count(*) AS count FROM (${found(search)})`.compile(builder)
  const counts = branches(search).map((where) => sql`(SELECT count(*) FROM vatoms WHERE ${where})`)
  return sql<{ readonly count: number }>`SELECT ${sql.join(counts, sql` + `)} AS count`.compile(builder)
}

function keysOf(search: Search, { limit, offset }: Page): RawBuilder<unknown> {
  return sql`${found(search)} ORDER BY created DESC, seq DESC LIMIT ${limit} OFFSET ${offset}`
}

/** When each vAtom of the result was made, and its number: of all, or of a sample of each group. */
function found({ sample, ...search }: Search): RawBuilder<unknown> {
  const columns = [
    sql`created`,
    sql`seq`,
    ...(sample?.by ?? []).map((name, index) => sql`${groupValue(name)} AS ${group(index)}`),
  ]
  const keys = sql.join(
    branches(search).map((where) => sql`SELECT ${sql.join(columns)} FROM vatoms WHERE ${where}`),
    sql` UNION ALL `,
  )
  if (!sample) return keys
  return sql`SELECT created, seq FROM
    (SELECT created, seq, row_number() OVER (PARTITION BY ${sql.join(sample.by.map((_, index) => group(index)))}
      ORDER BY created DESC, seq DESC) AS place FROM (${keys}))
    WHERE place <= ${sample.count}`
}

const group = (index: number) => sql.ref(`group_${index}`)

function groupValue(name: string): RawBuilder<unknown> {
  const field = fieldNamed(name)
  return field.kind === 'custom' ? sql`json_extract(json, ${field.jsonPath})` : sql.ref(field.column)
}

/** The conditions of each branch. A scope on owners omits a branch in which it can find nothing. */
function branches({ caller, scope, filters, containers }: Search): RawBuilder<unknown>[] {
  const filtered = filterConditions(filters ?? [], caller)
  const mine = sql`owner = ${caller}`
  const others = sql`public = 1 AND owner <> ${caller}`
  if (!scope) return [mine, others].map((branch) => allOf([branch, ...filtered]))
  const values = scopeValues(scope.value, caller)
  if (isOwner(scope.key))
    return ownerBranches(caller, values, mine, others).map((branch) => allOf([branch, ...filtered]))
  const scoped = containers ? withContainers(scope.key, values, containers, caller) : scopeCondition(scope.key, values)
  return [mine, others].map((branch) => allOf([branch, scoped, ...filtered]))
}

const isOwner = (key: string) => {
  const field = fieldNamed(key)
  return field.kind === 'text' && field.column === ownerColumn
}

function ownerBranches(caller: string, values: readonly string[], mine: Condition, others: Condition): Condition[] {
  const rest = values.filter((value) => value !== caller)
  const scoped = rest.length > 0 ? [allOf([others, sql`owner IN (${sql.join(rest)})`])] : []
  return values.includes(caller) ? [mine, ...scoped] : scoped
}

/** A scope some of whose values are discover containers. */
function withContainers(
  key: string,
  values: readonly string[],
  containers: ReadonlyMap<string, Contained>,
  caller: string,
): Condition {
  const plain = values.filter((value) => !containers.has(value))
  const contained = [...containers.values()].map((one) => inContainer(one, caller))
  return anyOf(plain.length > 0 ? [scopeCondition(key, plain), ...contained] : contained)
}

/** The contents of containers that its own query names are not searched. */
function inContainer({ scope, filters, page }: Contained, caller: string): Condition {
  if (page) return sql`seq IN (SELECT seq FROM (${keysOf({ caller, scope, filters }, page)}))`
  const scoped = scope ? [scopeCondition(scope.key, scopeValues(scope.value, caller))] : []
  return sql`(${allOf([...scoped, ...filterConditions(filters ?? [], caller)])})`
}
