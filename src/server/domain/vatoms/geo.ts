import type { GeoDiscover, GeoDiscoverGroups } from '../../../contract/api/geo.ts'
import { limits } from '../../../contract/limits.ts'
import type { Box, MapSearch } from '../../store/search/geo.ts'
import type { Steps } from '../../store/slices.ts'
import type { Position } from '../../store/vatoms/positions.ts'
import type { ByUser } from '../caller.ts'

/** Numbers (`seq`) of the newest vAtoms that are dropped in a box of the map, at most as many as the request asks for. */
export const vatomsOnMap = (scope: ByUser, body: GeoDiscover): Steps<number[]> =>
  scope.store.map.vatoms(mapSearch(scope, body), limitOf(body))

/** The largest groups of the vAtoms that are dropped in a box of the map, at most as many as the request asks for. */
export function* groupsOnMap(scope: ByUser, body: GeoDiscoverGroups): Steps<Group[]> {
  const sums: Sums = { places: new Map(), numbers: [] }
  const precision = body.precision ?? limits.geoPrecision
  const positions = scope.store.map.positions(mapSearch(scope, body), (points) => addTo(sums, points, precision))
  for (const _ of positions) yield sums.places.size
  return yield* largest(sums, limitOf(body))
}

const mapSearch = ({ user }: ByUser, body: GeoDiscover): MapSearch => ({
  caller: user.id,
  boxes: boxesOf(body),
  filter: body.filter ?? 'vatoms',
  publisher: body.publisher_fqdn || undefined,
})

const limitOf = ({ limit }: GeoDiscover): number => Math.min(limit || limits.geo, limits.geo)

/** A box across the antimeridian is split into two, one on each side of it. */
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

/** Points whose geohashes begin with `key`; `lon` and `lat` are their average. */
type Group = {
  readonly key: string
  readonly lon: number
  readonly lat: number
  readonly count: number
}

/**
 * By geohash, where its numbers begin: the sums of the degrees of all points that begin with it, and how many they are. Of
 * many groups, numbers in one array take half the memory of objects.
 */
type Sums = { readonly places: Map<string, number>; readonly numbers: number[] }

function addTo({ places, numbers }: Sums, points: readonly Position[], precision: number): void {
  for (const point of points) {
    const key = geohash(point, precision)
    const place = places.get(key) ?? numbers.length
    places.set(key, place)
    numbers[place] = (numbers[place] ?? 0) + point.lon
    numbers[place + 1] = (numbers[place + 1] ?? 0) + point.lat
    numbers[place + 2] = (numbers[place + 2] ?? 0) + 1
  }
}

/** Groups that are sorted in one step, besides those that were the largest before. */
const sortedAtOnce = 5000

/** The largest groups first, of one size by key. */
function* largest({ places, numbers }: Sums, limit: number): Steps<Group[]> {
  let best: Group[] = []
  let next: Group[] = []
  for (const [key, place] of places) {
    const [lon = 0, lat = 0, count = 1] = numbers.slice(place, place + 3)
    next.push({ key, lon: lon / count, lat: lat / count, count })
    if (next.length < sortedAtOnce) continue
    best = merged(best, next, limit)
    next = []
    yield
  }
  return merged(best, next, limit)
}

const merged = (best: readonly Group[], next: readonly Group[], limit: number): Group[] =>
  [...best, ...next].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, limit)

const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The geohash of a point: characters of five bits each; the bits halve the ranges of longitude and latitude in turn. */
function geohash({ lon, lat }: Position, precision: number): string {
  const range = { lon: [-180, 180] as [number, number], lat: [-90, 90] as [number, number] }
  let hash = ''
  for (let index = 0; index < precision; index++) {
    let bits = 0
    for (let bit = 0; bit < 5; bit++) {
      const isLon = (index * 5 + bit) % 2 === 0
      bits = bits * 2 + (isLon ? halve(range.lon, lon) : halve(range.lat, lat))
    }
    hash += alphabet[bits]
  }
  return hash
}

/** Narrows a range to the half that a value is in; returns which half it is. */
function halve(range: [number, number], value: number): 0 | 1 {
  const middle = (range[0] + range[1]) / 2
  if (value >= middle) {
    range[0] = middle
    return 1
  }
  range[1] = middle
  return 0
}
