import type { Position } from '../../store/positions.ts'

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
