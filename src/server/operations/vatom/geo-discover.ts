import { mapSearch, most } from '../../domain/geo/area.ts'
import { vatomsPage } from '../../domain/page.ts'
import type { Handler } from '../handlers.ts'

/** vAtoms of anybody's that are dropped in a box of the map. */
export const geoDiscover: Handler<'geoDiscover'> = (scope, { body }) =>
  vatomsPage(scope, scope.store.map.vatoms(mapSearch(scope, body), most(body)))
