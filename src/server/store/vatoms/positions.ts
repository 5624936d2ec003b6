import { sql } from 'kysely'
import { at } from '../../../contract/schema/path.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import { sectionOf } from '../../../contract/vatom/complete.ts'
import { type Connection, query } from '../query.ts'
import { memberOf } from './record-text.ts'
import type { VatomRow } from './vatoms.ts'

/** A point on the map, in degrees. */
export interface Position {
  readonly lon: number
  readonly lat: number
}

const remove = query<{ id: string }>()(
  (value) => sql`DELETE FROM positions WHERE id IN (SELECT seq FROM vatoms WHERE id = ${value.id})`,
)

const removeEach = query<{ ids: string }>()(
  (value) =>
    sql`DELETE FROM positions WHERE id IN
      (SELECT seq FROM vatoms WHERE id IN (SELECT value FROM json_each(${value.ids})))`,
)

/** The tree has bounds of four bytes, rounded outwards; `lon` and `lat` are the exact point. */
const insert = query<Position & { id: string }>()(
  (value) =>
    sql`INSERT INTO positions (id, min_lon, max_lon, min_lat, max_lat, lon, lat)
      SELECT seq, ${value.lon}, ${value.lon}, ${value.lat}, ${value.lat}, ${value.lon}, ${value.lat}
      FROM vatoms WHERE id = ${value.id}`,
)

/** Where dropped vAtoms are: the tree has all of them and nothing else. */
export const positionsOf = (db: Connection) => ({
  /** Sets where a vAtom is; undefined: not dropped. */
  set: (id: string, position: Position | undefined) => {
    db.run(remove, { id })
    if (position) db.run(insert, { id, ...position })
  },
  /** Removes the positions of vAtoms; `ids` is JSON. */
  removeEach: (ids: string) => db.run(removeEach, { ids }),
})

/**
 * Condition: others than the owner find a dropped vAtom on the map, as it is public and not of a draft. `placeForOthers`
 * is the same rule in code, for what clients are sent of the map.
 */
export const onMapForOthers = sql`vatoms.public = 1 AND variations.unpublished = 0`

/** Where others than the owner find a vAtom on the map; undefined if they do not. */
export function placeForOthers(vatom: VatomRow): Position | undefined {
  const position = vatom.public === 1 ? positionOf(vatom) : undefined
  return position && memberOf(vatom.json, 'unpublished') !== true ? position : undefined
}

/** Where a vAtom was dropped; undefined if it is not. Parses only texts that may say so. */
export function positionOf({ json }: Pick<VatomRow, 'json'>): Position | undefined {
  if (!json.includes('"dropped":true')) return undefined
  const type = sectionOf(memberOf(json, vatomTypeKey))
  if (type.dropped !== true) return undefined
  const [lon, lat] = [at(type, 'geo_pos', 'coordinates', 0), at(type, 'geo_pos', 'coordinates', 1)]
  return { lon: Number(lon), lat: Number(lat) }
}
