import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { builder, type Connection } from '../query.ts'
import { onMapForOthers, type Position } from '../vatoms/positions.ts'
import type { Condition } from './operators.ts'
import type { Found } from './search.ts'

/** A box of the map, in degrees, that does not cross the antimeridian. */
export interface Box {
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

/** What to find on the map, and for whom. */
export interface MapSearch {
  readonly caller: string
  readonly boxes: readonly Box[]
  readonly filter: 'vatoms' | 'avatars' | 'all'
  readonly publisher?: string | undefined
}

/** Finds dropped vAtoms; those of a draft only for their owner. */
export const mapOf = (db: Connection) => ({
  /** The newest ones. */
  vatoms: (search: MapSearch, limit: number): Found[] => db.rowsOf<Found>(mapQuery(search, limit)),
  /** The positions of all of them. */
  positions: (search: MapSearch): Position[] => db.rowsOf<Position>(positionsQuery(search)),
})

/** Reads only the rows of the answer completely. */
export function mapQuery(search: MapSearch, limit: number): CompiledQuery<Found> {
  return sql<Found>`SELECT vatoms.json, vatoms.template FROM
    (SELECT vatoms.seq ${found(search)} ORDER BY vatoms.seq DESC LIMIT ${limit}) AS found
    CROSS JOIN vatoms ON vatoms.seq = found.seq`.compile(builder)
}

export const positionsQuery = (search: MapSearch): CompiledQuery<Position> =>
  sql<Position>`SELECT found.lon, found.lat ${found(search)}`.compile(builder)

const avatars = sql`vatoms.category = 'avatar'`
const filters: Readonly<Record<MapSearch['filter'], Condition>> = {
  vatoms: sql`NOT ${avatars}`,
  avatars,
  all: sql`1`,
}

function found({ caller, boxes, filter, publisher }: MapSearch): RawBuilder<unknown> {
  const publishers = publisher === undefined ? sql`1` : sql`vatoms.publisher_fqdn = ${publisher}`
  return sql`FROM (${sql.join(boxes.map(inBox), sql` UNION ALL `)}) AS found
    CROSS JOIN vatoms ON vatoms.seq = found.id
    CROSS JOIN variations ON variations.name = vatoms.template_variation
    WHERE (vatoms.owner = ${caller} OR (${onMapForOthers})) AND ${filters[filter]} AND ${publishers}`
}

/** By the tree, whose bounds are a little wider than the point, then by the exact point. */
const inBox = ({ west, east, south, north }: Box) => sql`
  SELECT id, lon, lat FROM positions
  WHERE max_lon >= ${west} AND min_lon <= ${east} AND max_lat >= ${south} AND min_lat <= ${north}
    AND lon BETWEEN ${west} AND ${east} AND lat BETWEEN ${south} AND ${north}`
