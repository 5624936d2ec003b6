import { vatomsPage } from '../domain/vatoms/found-vatoms.ts'
import { groupsOf, mapSearch, most } from '../domain/vatoms/geo.ts'
import type { Handler } from './handler.ts'

/** vAtoms of all users that are dropped in a box of the map. */
export const geoDiscover: Handler<'geoDiscover'> = (scope, { body }) =>
  vatomsPage(scope, scope.store.map.vatoms(mapSearch(scope, body), most(body)))

const defaultPrecision = 3

/** How many vAtoms are dropped where in a box of the map. */
export const geoDiscoverGroups: Handler<'geoDiscoverGroups'> = (scope, { body }) => {
  const points = scope.store.map.positions(mapSearch(scope, body))
  return { groups: groupsOf(points, body.precision ?? defaultPrecision).slice(0, most(body)) }
}
