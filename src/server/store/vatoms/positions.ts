import { sql } from 'kysely'
import { at } from '../../../contract/schema/path.ts'
import { builtIn, sectionOf } from '../../../contract/vatom/complete.ts'
import { type Connection, query } from '../query.ts'
import type { VatomRow } from './vatoms.ts'

/** A point on the map, in degrees. */
export interface Position {
  readonly lon: number
  readonly lat: number
}

const remove = query<{ id: string }>()(
  (value) => sql`DELETE FROM positions WHERE id IN (SELECT seq FROM vatoms WHERE id = ${value.id})`,
)

const removeAll = query<{ owner: string }>()(
  (value) => sql`DELETE FROM positions WHERE id IN (SELECT seq FROM vatoms WHERE owner = ${value.owner})`,
)

const droppedOf = query<{ owner: string }>()(
  (value) =>
    sql<{ id: string }>`SELECT vatoms.id FROM vatoms JOIN positions ON positions.id = vatoms.seq
      WHERE vatoms.owner = ${value.owner}`,
)

/** The tree keeps bounds of four bytes each, rounded outwards; the exact point stands beside them. */
const insert = query<Position & { id: string }>()(
  (value) =>
    sql`INSERT INTO positions (id, min_lon, max_lon, min_lat, max_lat, lon, lat)
      SELECT seq, ${value.lon}, ${value.lon}, ${value.lat}, ${value.lat}, ${value.lon}, ${value.lat}
      FROM vatoms WHERE id = ${value.id}`,
)

/** Where the vAtoms that are dropped lie: what is in the tree is dropped, and nothing else is. */
export const positionsOf = (db: Connection) => ({
  /** Makes a vAtom lie at a point, or nowhere. */
  set: (id: string, position: Position | undefined) => {
    db.run(remove, { id })
    if (position) db.run(insert, { id, ...position })
  },
  /** Ids of what someone has that is dropped. */
  droppedOf: (owner: string) => db.rows(droppedOf, { owner }).map(({ id }) => id),
  /** Makes all that someone has lie nowhere. */
  removeAll: (owner: string) => db.run(removeAll, { owner }),
})

/**
 * Whether a vAtom that lies on the map does for others than its owner: everybody may find it, and it is of no draft.
 * `placeForOthers` is the same in code: what clients are sent of the map agrees with what they find there.
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
