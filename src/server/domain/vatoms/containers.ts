import { type Discover, DiscoverQuery } from '../../../contract/api/discover.ts'
import { lazy } from '../../../contract/schema/lazy-schema.ts'
import { scopeValues } from '../../store/search/conditions.ts'
import type { Contained, Search } from '../../store/search/search.ts'
import { root } from '../../store/vatoms/vatoms.ts'
import { maySee } from '../access.ts'
import type { ByUser } from '../caller.ts'
import { pageOf } from '../paging.ts'
import { builtInOf } from './properties.ts'
import { checkCost } from './search-cost.ts'

/** The scope key of what is in a folder. Spec 4.4. */
export const parent = 'vAtom::vAtomType.parent_id'

/** The query of a stored vAtom; older versions of the service accepted more fields. */
const StoredQuery = lazy(() => DiscoverQuery().omit({ return: true }).strip())

/**
 * What a user searches for, with the discover containers that the scope names and they may see. Throws `invalid` for what
 * would cost too much. Spec 2.4.
 */
export function searchBy(scope: ByUser, body: Sampled): Search {
  const containers = containersIn(scope, body)
  const search = {
    caller: scope.user.id,
    scope: body.scope,
    filters: body.filters,
    ...(containers.size > 0 && { containers }),
    ...(isSampled(body) && { sample: { count: body.sample, by: body.group_by } }),
  }
  checkCost(search, [...containers.values()])
  return search
}

/** A search; it finds a sample of each group if it has both fields for that. */
type Sampled = Pick<Discover, 'scope' | 'filters' | 'sample' | 'group_by'>

/** Whether a search finds only a sample of each group: each of the two fields has no effect without the other. */
export const isSampled = (body: Sampled): body is Sampled & { sample: number; group_by: string[] } =>
  Boolean(body.sample && body.group_by?.length)

/** The discover containers that a search names and its caller may see, by id. */
function containersIn(scope: ByUser, search: Pick<Discover, 'scope'>): ReadonlyMap<string, Contained> {
  const found = new Map<string, Contained>()
  if (search.scope?.key !== parent) return found
  for (const id of scopeValues(search.scope.value, scope.user.id)) {
    const contained = id === root ? undefined : containedIn(scope, id)
    if (contained) found.set(id, contained)
  }
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
