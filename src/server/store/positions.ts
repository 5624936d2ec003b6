import { sql } from 'kysely'
import { type Connection, query } from './query.ts'

/** A point on the map, in degrees. */
export interface Position {
  readonly lon: number
  readonly lat: number
}

const forget = query<{ id: string }>()((db, value) => ({
  compile: () => sql`DELETE FROM positions WHERE id IN (SELECT seq FROM vatoms WHERE id = ${value.id})`.compile(db),
}))

const forgetAll = query<{ owner: string }>()((db, value) => ({
  compile: () =>
    sql`DELETE FROM positions WHERE id IN (SELECT seq FROM vatoms WHERE owner = ${value.owner})`.compile(db),
}))

const droppedOf = query<{ owner: string }>()((db, value) => ({
  compile: () =>
    sql<{ id: string }>`SELECT vatoms.id FROM vatoms JOIN positions ON positions.id = vatoms.seq
      WHERE vatoms.owner = ${value.owner}`.compile(db),
}))

/** The tree keeps bounds of four bytes each, rounded outwards; the exact point stands beside them. */
const keep = query<Position & { id: string }>()((db, value) => ({
  compile: () =>
    sql`INSERT INTO positions (id, min_lon, max_lon, min_lat, max_lat, lon, lat)
      SELECT seq, ${value.lon}, ${value.lon}, ${value.lat}, ${value.lat}, ${value.lon}, ${value.lat}
      FROM vatoms WHERE id = ${value.id}`.compile(db),
}))

/** Where the vAtoms that are dropped lie: what is in the tree is dropped, and nothing else is. */
export const positionsOf = (db: Connection) => ({
  /** Makes a vAtom lie at a point, or nowhere. */
  set: (id: string, position: Position | undefined) => {
    db.run(forget, { id })
    if (position) db.run(keep, { id, ...position })
  },
  /** Ids of what someone has that is dropped. */
  droppedOf: (owner: string) => db.rows(droppedOf, { owner }).map(({ id }) => id),
  /** Makes all that someone has lie nowhere. */
  forgetAll: (owner: string) => db.run(forgetAll, { owner }),
})
