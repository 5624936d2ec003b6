import { type Discover, DiscoverQuery } from '../../../contract/api/discover.ts'
import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { lazy } from '../../../contract/schema/lazy-schema.ts'
import { scopeValues } from '../../store/search/conditions.ts'
import type { Contained } from '../../store/search/search.ts'
import { maySee } from '../access.ts'
import type { ByUser } from '../caller.ts'
import { pageOf } from '../paging.ts'
import { builtInOf } from './properties.ts'
import { root } from './vatom.ts'

/** The scope key of what is in a folder. Spec 4.4. */
export const parent = 'vAtom::vAtomType.parent_id'

/** The query of a stored vAtom; older versions of the service accepted more fields. */
const StoredQuery = lazy(() => DiscoverQuery().omit({ return: true }).strip())

/**
 * The discover containers that a search names and its caller may see, by id; undefined if there are none. Throws
 * `invalid` for more comparisons than a search can have. Spec 2.4.
 */
export function containersIn(scope: ByUser, search: Discover): ReadonlyMap<string, Contained> | undefined {
  if (search.scope?.key !== parent) return undefined
  const found = new Map<string, Contained>()
  for (const id of scopeValues(search.scope.value, scope.user.id)) {
    const contained = id === root ? undefined : containedIn(scope, id)
    if (contained) found.set(id, contained)
  }
  if (found.size === 0) return undefined
  checkSize(search, [...found.values()])
  return found
}

/** Only a discover container has a query. */
function containedIn(scope: ByUser, id: string): Contained | undefined {
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom || !maySee(scope, vatom)) return undefined
  const { query } = builtInOf(vatom)
  if (query === undefined) return undefined
  const { limit, page = 1, scope: within, filters } = StoredQuery().parse(query)
  const whole = limit === undefined && page <= 1
  return { scope: within, filters, page: whole ? undefined : pageOf(limit, page) }
}

/** A statement has the conditions of a container twice if it shows one page. */
function checkSize(search: Discover, containers: readonly Contained[]): void {
  const comparisons = containers.map((one) => comparisonsOf(one) * (one.page ? 2 : 1))
  const all = comparisons.reduce((sum, one) => sum + one, comparisonsOf(search))
  if (all <= limits.comparisons) return
  const message = `the search and its containers need more than ${limits.comparisons} comparisons: name fewer`
  throw errorAt('scope.value', 'invalid', message)
}

const comparisonsOf = ({ filters }: Pick<Discover, 'filters'>): number =>
  (filters ?? []).reduce((sum, { filter_elems }) => sum + filter_elems.length, 0)
