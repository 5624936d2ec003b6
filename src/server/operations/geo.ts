import { vatomsPage } from '../domain/vatoms/found-vatoms.ts'
import { groupsOnMap, vatomsOnMap } from '../domain/vatoms/geo.ts'
import type { Handler } from './handler.ts'

/** vAtoms of all users that are dropped in a box of the map. */
export const geoDiscover: Handler<'geoDiscover'> = async (scope, { body }) =>
  vatomsPage(scope, await scope.store.slices.run(() => vatomsOnMap(scope, body), scope))

/** How many vAtoms are dropped where in a box of the map. */
export const geoDiscoverGroups: Handler<'geoDiscoverGroups'> = async (scope, { body }) => ({
  groups: await scope.store.slices.runMap(() => groupsOnMap(scope, body), scope),
})
