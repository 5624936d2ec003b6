import type { Position } from '../../store/positions.ts'
import { geohash } from './geohash.ts'

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
