import { mapSearch, most } from '../../domain/geo/area.ts'
import { groupsOf } from '../../domain/geo/groups.ts'
import type { Handler } from '../handlers.ts'

const defaultPrecision = 3

/** How many vAtoms are dropped where in a box of the map. */
export const geoDiscoverGroups: Handler<'geoDiscoverGroups'> = (scope, { body }) => {
  const points = scope.store.map.positions(mapSearch(scope, body))
  return { groups: groupsOf(points, body.precision ?? defaultPrecision).slice(0, most(body)) }
}
