import type { Discover } from '../../contract/api/discover.ts'
import { JsonText, listText } from '../domain/json-text.ts'
import { pageOf } from '../domain/paging.ts'
import { containersIn } from '../domain/vatoms/containers.ts'
import { designsText, vatomsPage } from '../domain/vatoms/found-vatoms.ts'
import { groupsOf, mapSearch, most } from '../domain/vatoms/map.ts'
import type { Handler, UserScope } from './handler.ts'

/** Searches the vAtoms the caller may see: their own and public ones. Spec 4.4. */
export const discover: Handler<'discover'> = (scope, { body }) => {
  warnOf(scope, body)
  const containers = containersIn(scope, body)
  const search = { caller: scope.user.id, scope: body.scope, filters: body.filters, ...(containers && { containers }) }
  if (body.return?.type === 'count') {
    const count = scope.store.search.count(search)
    return new JsonText(`{"results":[],${designsText(scope, [])},"count":${count}}`)
  }
  const { limit, offset } = pageOf(body.limit, body.page)
  const found = scope.store.search.page(search, limit, offset)
  const results = listText(found.map(({ json }) => json))
  return new JsonText(`{"results":${results},${designsText(scope, found)},"count":${found.length}}`)
}

function warnOf({ warn }: UserScope, { return: wanted, sample, group_by }: Discover): void {
  const type = wanted?.type
  if (type !== undefined && type !== '*' && type !== 'count') warn(`return.type ${type} is taken for *`)
  if (sample !== undefined) warn('sample has no effect')
  if (group_by !== undefined) warn('group_by has no effect')
}

/** vAtoms of anybody's that are dropped in a box of the map. */
export const geoDiscover: Handler<'geoDiscover'> = (scope, { body }) =>
  vatomsPage(scope, scope.store.map.vatoms(mapSearch(scope, body), most(body)))

const defaultPrecision = 3

/** How many vAtoms are dropped where in a box of the map. */
export const geoDiscoverGroups: Handler<'geoDiscoverGroups'> = (scope, { body }) => {
  const points = scope.store.map.positions(mapSearch(scope, body))
  return { groups: groupsOf(points, body.precision ?? defaultPrecision).slice(0, most(body)) }
}
