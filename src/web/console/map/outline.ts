import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countries from 'world-atlas/countries-110m.json'

type Line = readonly (readonly number[])[]

/** Land and borders as paths of SVG, in degrees: x to the east, y to the south. Natural Earth, 1:110 million. */
export function worldOutline(): { readonly land: string; readonly borders: string } {
  const topology = countries as unknown as Topology<{ land: GeometryCollection; countries: GeometryCollection }>
  const { features } = feature(topology, topology.objects.land)
  const rings = features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [],
  )
  const borders = mesh(topology, topology.objects.countries, (one, other) => one !== other).coordinates
  return {
    land: rings.map((ring) => pathsOf(closed(unrolled(ring)))).join(''),
    borders: borders.map((line) => pathsOf(unrolled(line))).join(''),
  }
}

/** A line that goes on beyond 180 degrees where it crosses the antimeridian. */
function unrolled(line: Line): Line {
  let [turn, before] = [0, line[0]?.[0] ?? 0]
  return line.map(([lon = 0, lat = 0]) => {
    if (Math.abs(lon - before) > 180) turn += lon < before ? 360 : -360
    before = lon
    return [lon + turn, lat]
  })
}

/** A ring around a pole, which is Antarctica's, has the pole in it. */
function closed(ring: Line): Line {
  const [[first = 0] = [], [last = 0] = []] = [ring[0], ring.at(-1)]
  return Math.abs(last - first) < 180 ? ring : [...ring, [last, -90], [first, -90]]
}

/** What is beyond an edge of the map is drawn at the other one, too. */
const pathsOf = (line: Line): string =>
  [-360, 0, 360]
    .filter((turn) => line.some(([lon = 0]) => Math.abs(lon + turn) < 180))
    .map((turn) => line.map(([lon = 0, lat = 0], index) => `${index === 0 ? 'M' : 'L'}${lon + turn} ${-lat}`).join(''))
    .join('')
