import type { VatomsPage } from '../../../contract/api/vatom.ts'
import { limits } from '../../../contract/limits.ts'
import { at } from '../../../contract/schema/path.ts'
import { type geoFilters, vatomTypeKey } from '../../../contract/values.ts'
import { apiAs } from '../service/api.ts'
import { local } from '../service/local.ts'
import { currentSession } from '../service/session.ts'
import { type Found, foundIn, propertyText } from '../vatom/found.ts'
import { boxOf, type Place, precisionOf, type View } from './view.ts'

export type GeoFilter = (typeof geoFilters)[number]

/** A vAtom on the map. */
export interface Lying extends Place {
  readonly found: Found
}

/** vAtoms that lie near each other. */
export interface Group extends Place {
  readonly key: string
  readonly count: number
}

/** A WebSocket that asked for a part of the map. */
export interface Watching {
  readonly user: string
  readonly region: { readonly top_left: Place; readonly bottom_right: Place }
}

/** What lies in a view. */
export interface OnMap {
  readonly total: number
  /** Empty where there are more than are shown one by one. */
  readonly vatoms: readonly Lying[]
  readonly groups: readonly Group[]
  readonly watching: readonly Watching[]
}

/** Milliseconds in which several changes are one search. */
export const pause = 200

/** The vAtoms that are shown one by one at most; more are shown as groups. */
const shownAtOnce = 200

/** What a user finds in a view. */
export async function loadMap(user: string, view: View, filter: GeoFilter): Promise<OnMap> {
  const { client } = apiAs(user, currentSession().app_id)
  const area = { ...boxOf(view), filter }
  const [{ groups }, sockets] = await Promise.all([
    client.geoDiscoverGroups({ body: { ...area, precision: precisionOf(view) } }),
    local<{ readonly user: string; readonly region: Watching['region'] | null }[]>('GET', '/__vatom/sockets'),
  ])
  const watching = sockets.flatMap(({ user: whose, region }) =>
    region ? [{ user: whose, region: eastward(region) }] : [],
  )
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  if (total > shownAtOnce) return { total, vatoms: [], groups, watching }
  return { total, vatoms: lyingIn(await client.geoDiscover({ body: area })), groups: [], watching }
}

/** A region whose east side is not west of its west side: one that crosses the antimeridian goes on beyond 180 degrees. */
const eastward = ({ top_left, bottom_right }: Watching['region']) => ({
  top_left,
  bottom_right: { ...bottom_right, lon: bottom_right.lon + (bottom_right.lon < top_left.lon ? 360 : 0) },
})

const lyingIn = (page: VatomsPage): Lying[] =>
  foundIn(page).flatMap((found) => {
    const [lon, lat] = [0, 1].map((index) => at(found.vatom, vatomTypeKey, 'geo_pos', 'coordinates', index))
    return typeof lon === 'number' && typeof lat === 'number' ? [{ found, lat, lon }] : []
  })

/** The newest vAtoms outside of folders, among which is looked for what can be dropped. */
export const lookedThrough = 5000
/** vAtoms that are a choice, at most. */
const mostChoices = 100

/** A vAtom that can be dropped, and what its template calls the action that does so. */
export interface Droppable {
  readonly found: Found
  readonly action: string
}

/** What a user can drop: the newest vAtoms outside of folders whose template has an action for it. */
export async function droppable(user: string): Promise<Droppable[]> {
  const { client } = apiAs(user, currentSession().app_id)
  const all: Droppable[] = []
  for (let page = 1; page * limits.inventory <= lookedThrough && all.length < mostChoices; page++) {
    const some = foundIn(await client.getInventory({ body: { parent_id: '.', page, limit: limits.inventory } }))
    all.push(...some.flatMap(asDroppable))
    if (some.length < limits.inventory) break
  }
  return all.slice(0, mostChoices)
}

function asDroppable(found: Found): Droppable[] {
  const drop = found.actions.find(({ standard }) => standard?.name === 'Drop')
  return drop && propertyText(found, 'dropped') !== 'true' ? [{ found, action: drop.name }] : []
}
