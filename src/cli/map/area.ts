import { InvalidArgumentError } from 'commander'

/** A point in degrees north and east. */
export interface Point {
  readonly lat: number
  readonly lon: number
}

/** A box of the map; if `top_right` is west of the other corner, it crosses the antimeridian. */
export interface Box {
  readonly bottom_left: Point
  readonly top_right: Point
}

/** A number in decimal notation: `47.37`, `.5`, `47.`. */
const decimal = String.raw`\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*`
const pair = new RegExp(`^${decimal},${decimal}$`)

/** A text as a point, which need not be on the earth: `47.37,8.54`; undefined for one that is no two numbers. */
export function pointIn(text: string): Point | undefined {
  const [, lat, lon] = pair.exec(text) ?? []
  return lat === undefined ? undefined : { lat: Number(lat), lon: Number(lon) }
}

/** A flag's value as a point. */
export function pointFrom(text: string): Point {
  const point = pointIn(text)
  if (point !== undefined && Math.abs(point.lat) <= 90 && Math.abs(point.lon) <= 540) return point
  throw new InvalidArgumentError('it must be degrees north and east, such as 47.37,8.54; south and west are negative')
}

/** Metres of a unit. */
const units: Readonly<Record<string, number>> = { '': 1, m: 1, km: 1000 }

/** A flag's value as metres: `500m`, `2km`. */
export function distanceFrom(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?(m|km)?$/.exec(text.trim()) ?? []
  const metres = Number(number) * (units[unit] ?? 1)
  if (number !== '' && metres > 0) return metres
  throw new InvalidArgumentError('it must be a distance, such as 500m or 2km')
}

/** Metres of the mean radius of the earth. */
const earth = 6_371_008.8
const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (radians: number) => (radians * 180) / Math.PI

/** The smallest box that holds a circle; near a pole, all longitudes. */
export function boxAround({ lat, lon }: Point, radius: number): Box {
  const angle = radius / earth
  const [south, north] = [lat - degrees(angle), lat + degrees(angle)]
  const ratio = Math.sin(angle) / Math.cos(radians(lat))
  const isPolar = south < -90 || north > 90 || !(Math.abs(ratio) < 1)
  const reach = isPolar ? 180 : degrees(Math.asin(ratio))
  return {
    bottom_left: { lat: Math.max(-90, south), lon: lon - reach },
    top_right: { lat: Math.min(90, north), lon: lon + reach },
  }
}

/** Metres between two points on a sphere. */
export function distance(one: Point, other: Point): number {
  const [from, to] = [radians(one.lat), radians(other.lat)]
  const half = (angle: number) => Math.sin(angle / 2) ** 2
  const square = half(to - from) + Math.cos(from) * Math.cos(to) * half(radians(other.lon - one.lon))
  return 2 * earth * Math.asin(Math.min(1, Math.sqrt(square)))
}

/** Metres as people read them: `120 m`, `1.2 km`. */
export const distanceText = (metres: number): string =>
  metres < 999.5 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(metres < 99_950 ? 1 : 0)} km`
