import type { GeoDiscover } from '../../../contract/api/geo.ts'
import { limits } from '../../../contract/limits.ts'
import type { Position } from '../../store/positions.ts'
import type { Box, MapSearch } from '../../store/search/geo.ts'
import type { ByUser } from '../caller.ts'

/** What a request looks for on the map. */
export const mapSearch = ({ user }: ByUser, body: GeoDiscover): MapSearch => ({
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

/** Points that have the beginning of their geohash in common, at the middle of them. */
export type Group = {
  readonly key: string
  readonly lon: number
  readonly lat: number
  readonly count: number
}

/** Points by their geohashes, the largest groups first, those of one size by key. */
export function groupsOf(points: readonly Position[], precision: number): Group[] {
  const sums = new Map<string, { lon: number; lat: number; count: number }>()
  for (const point of points) {
    const key = geohash(point, precision)
    const sum = sums.get(key) ?? { lon: 0, lat: 0, count: 0 }
    sum.lon += point.lon
    sum.lat += point.lat
    sum.count += 1
    sums.set(key, sum)
  }
  return [...sums]
    .map(([key, { lon, lat, count }]) => ({ key, lon: lon / count, lat: lat / count, count }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
}

const letters = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The geohash of a point: so many letters of five bits, longitude and latitude halved in turn. */
export function geohash({ lon, lat }: Position, precision: number): string {
  const range = { lon: [-180, 180] as [number, number], lat: [-90, 90] as [number, number] }
  let hash = ''
  for (let letter = 0; letter < precision; letter++) {
    let bits = 0
    for (let bit = 0; bit < 5; bit++) {
      const isLon = (letter * 5 + bit) % 2 === 0
      bits = bits * 2 + (isLon ? halve(range.lon, lon) : halve(range.lat, lat))
    }
    hash += letters[bits]
  }
  return hash
}

/** Narrows a range to the half that a value is in; answers which it is. */
function halve(range: [number, number], value: number): 0 | 1 {
  const middle = (range[0] + range[1]) / 2
  if (value >= middle) {
    range[0] = middle
    return 1
  }
  range[1] = middle
  return 0
}
