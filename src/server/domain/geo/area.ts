import type { GeoDiscover } from '../../../contract/api/geo.ts'
import { limits } from '../../../contract/limits.ts'
import type { UserScope } from '../../operations/handler.ts'
import type { Box, MapSearch } from '../../store/search/map.ts'

/** What a request looks for on the map. */
export const mapSearch = ({ user }: UserScope, body: GeoDiscover): MapSearch => ({
  caller: user.id,
  boxes: boxesOf(body),
  filter: body.filter ?? 'vatoms',
  publisher: body.publisher_fqdn || undefined,
})

/** How many a request wants at most. */
export const most = ({ limit }: GeoDiscover): number => Math.min(limit || limits.geo, limits.geo)

/** A box across the antimeridian is two: one on each side of it. */
function boxesOf({ bottom_left, top_right }: GeoDiscover): Box[] {
  const between = { south: bottom_left.lat, north: top_right.lat }
  if (top_right.lon - bottom_left.lon >= 360) return [{ west: -180, east: 180, ...between }]
  const west = wrapped(bottom_left.lon)
  const east = wrapped(top_right.lon)
  if (west <= east) return [{ west, east, ...between }]
  return [
    { west, east: 180, ...between },
    { west: -180, east, ...between },
  ]
}

const wrapped = (lon: number) => {
  if (lon > 180) return lon - 360
  return lon < -180 ? lon + 360 : lon
}
