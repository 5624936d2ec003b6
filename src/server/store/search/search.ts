import { sql } from 'kysely'
import type { Discover } from '../../../contract/api/discover.ts'
import type { ReadCaches } from '../database/read-caches.ts'
import type { Connection } from '../query.ts'
import type { Steps } from '../slices.ts'
import type { Page } from '../table.ts'
import { root } from '../vatoms/vatoms.ts'
import {
  allOf,
  anyOf,
  callerOr,
  countsOf,
  type Filter,
  filtersOf,
  joined,
  scopeFilter,
  scopeValues,
} from './conditions.ts'
import { fieldNamed } from './fields.ts'
import { fieldValue } from './operators.ts'
import { PageMarks } from './page-marks.ts'
import { type Branch, countOf, pageOf, type Walk } from './scan.ts'
import { digest } from './texts.ts'

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

/** The parts of a search that compare fields. */
export type Compared = Pick<Search, 'scope' | 'filters' | 'sample'>

/** The query of a discover container, for the user who searches in it. Spec 2.4. */
export interface Contained extends Pick<Search, 'scope' | 'filters'> {
  /** The page of its results that it shows; undefined: all. */
  readonly page: Page | undefined
}

/** Finds vAtoms that the caller owns or that are public, in steps. Spec 4.4. */
export function searchOf(db: Connection, caches: ReadCaches) {
  const marksOf = caches.of<PageMarks>({ most: remembered })
  return {
    /** Numbers (`seq`) of a page, newest first; of those of one second, the one inserted last comes first. */
    page: function* (search: Search, page: Page): Steps<number[]> {
      const walk = yield* walkOf(db, search)
      const marks = search.sample ? undefined : marksOf(identityOf(search), () => new PageMarks())
      return yield* pageOf(db, walk, page, marks)
    },
    count: function* (search: Search): Steps<number> {
      return yield* countOf(db, yield* walkOf(db, search))
    },
  }
}

/** Searches of which places are remembered. */
const remembered = 100

/** What is the same for all pages of a search, and for no other search. */
const identityOf = ({ containers = new Map(), ...search }: Search): string =>
  digest(JSON.stringify([search, [...containers]]))

/** How to find what is searched for; the pages that containers show are looked up for it. */
export function* walkOf(db: Connection, search: Search): Steps<Walk> {
  const { caller, scope, filters, sample } = search
  const walked = walkedEquality(equalities(search))
  const filter = filtersOf(filters ?? [], caller)
  if (scope && !walked?.isScope) filter.unshift(yield* inScope(db, scope, search))
  return { branches: branchesOf(caller, walked), filter, ...(sample && { sample: sampleOf(sample) }) }
}

/** What has one of the values of a scope, or is found by the query of a container that it names. */
function* inScope(
  db: Connection,
  { key, value }: NonNullable<Discover['scope']>,
  { caller, containers = new Map<string, Contained>() }: Search,
): Steps<Filter> {
  const values = scopeValues(value, caller).filter((one) => !containers.has(one))
  const either = values.length > 0 ? [scopeFilter(key, values)] : []
  for (const one of containers.values()) either.push(yield* inContainer(db, one, caller))
  return joined(either, anyOf)
}

/** The fields, by whose values a sample tells groups apart. */
const sampleOf = ({ count, by }: NonNullable<Search['sample']>): Walk['sample'] => ({
  count,
  by: by.map((name) => fieldValue(fieldNamed(name))),
  ...countsOf(by),
})

/** A column that must have one of some values. */
interface Equality {
  readonly column: string
  readonly values: readonly string[]
  readonly isScope: boolean
}

/** The scope, and the filters of a single `Eq`; where all that is found is in one container, those of its query, too. */
function equalities({ caller, scope, filters, containers }: Search): Equality[] {
  const contained = onlyContainer(scope, containers)
  const within = contained ? equalities({ caller, ...contained }).map((one) => ({ ...one, isScope: false })) : []
  const scoped = scope && !containers ? equality(scope.key, scopeValues(scope.value, caller), true) : []
  const filtered = (filters ?? []).flatMap(({ filter_elems: [one, ...others] }) =>
    one?.filter_op === 'Eq' && others.length === 0 ? equality(one.field, [callerOr(one.value, caller)], false) : [],
  )
  return [...within, ...scoped, ...filtered]
}

/** The container that a scope names, if it names nothing else: of several, its value is a list. */
const onlyContainer = (scope: Search['scope'], containers: Search['containers']): Contained | undefined =>
  scope ? containers?.get(scope.value) : undefined

function equality(name: string, values: readonly string[], isScope: boolean): Equality[] {
  const field = fieldNamed(name)
  return field.kind === 'text' ? [{ column: field.column, values, isScope }] : []
}

/** Columns with an index that has vAtoms in their order, those first of which fewest vAtoms have the same value. */
const walkable = ['id', 'parent_id', 'owner', 'template_variation', 'template']

/** The root, which all users share, is not walked. */
const walkedEquality = (found: readonly Equality[]): Equality | undefined =>
  walkable
    .flatMap((column) => found.filter((one) => one.column === column))
    .find(({ values }) => !values.includes(root))

/** The caller's own and the public ones, or those with the values of a column. */
function branchesOf(caller: string, walked: Equality | undefined): Branch[] {
  const mine = sql`owner = ${caller}`
  if (!walked) return [{ walk: mine }, { walk: sql`public = 1`, where: sql`owner <> ${caller}` }]
  const visible = sql`(+owner = ${caller} OR +public = 1)`
  return [...new Set(walked.values)].map((value) => ({
    walk: sql`${sql.ref(walked.column)} = ${value}`,
    ...((walked.column !== 'owner' || value !== caller) && { where: visible }),
  }))
}

/** The contents of containers that its own query names are not searched. */
function* inContainer(db: Connection, { scope, filters, page }: Contained, caller: string): Steps<Filter> {
  if (page) {
    const shown = yield* pageOf(db, yield* walkOf(db, { caller, scope, filters }), page)
    return { holds: sql`seq IN (SELECT value FROM json_each(${JSON.stringify(shown)}))`, ...countsOf([]) }
  }
  const scoped = scope ? [scopeFilter(scope.key, scopeValues(scope.value, caller))] : []
  return joined([...scoped, ...filtersOf(filters ?? [], caller)], (all) => sql`(${allOf(all)})`)
}
