import { sql } from 'kysely'
import { at } from '../../contract/schema/path.ts'
import { builtIn, sectionOf } from '../../contract/vatom/complete.ts'
import type { Position } from './positions.ts'
import type { VatomRow } from './vatoms.ts'

/**
 * Whether a vAtom that lies on the map does for others than its owner: everybody may find it, and it is of no draft.
 * What is told of the map agrees with it by `placeForOthers`.
 */
export const liesForOthers = sql`vatoms.public = 1 AND variations.unpublished = 0`

/** Where others than its owner find a vAtom on the map, as it is or was; undefined where they do not. */
export function placeForOthers(vatom: VatomRow): Position | undefined {
  const position = vatom.public === 1 ? positionOf(vatom) : undefined
  return position && sectionOf(JSON.parse(vatom.json)).unpublished !== true ? position : undefined
}

/** Where a vAtom that is dropped lies. Only what may be one is parsed. */
export function positionOf({ json }: Pick<VatomRow, 'json'>): Position | undefined {
  if (!json.includes('"dropped":true')) return undefined
  const type = builtIn(sectionOf(JSON.parse(json)))
  if (type.dropped !== true) return undefined
  const [lon, lat] = [at(type, 'geo_pos', 'coordinates', 0), at(type, 'geo_pos', 'coordinates', 1)]
  return { lon: Number(lon), lat: Number(lat) }
}
