import { type CompiledQuery, sql } from 'kysely'
import { builder, type Connection } from '../query.ts'
import type { Steps } from '../slices.ts'
import { onMapForOthers, type Position } from '../vatoms/positions.ts'
import { anyOf } from './conditions.ts'
import type { Condition } from './operators.ts'
import { Pace } from './scan.ts'

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

/** Finds dropped vAtoms, in steps; those of a draft only for their owner. */
export const mapOf = (db: Connection) => ({
  /** Numbers (`seq`) of the newest ones. */
  vatoms: function* (search: MapSearch, limit: number): Steps<number[]> {
    const found: number[] = []
    yield* inParts(db, search, (part) => {
      found.push(...db.rowsOf(placesQuery(search, part, limit - found.length)).map(({ seq }) => seq))
      return found.length >= limit
    })
    return found
  },
  /** Calls a function with the positions of all of them, some at a time. */
  positions: (search: MapSearch, take: (positions: readonly Position[]) => void): Steps<void> =>
    inParts(db, search, (part) => {
      take(db.rowsOf(placesQuery(search, part, noLimit)))
      return false
    }),
})

/** Dropped vAtoms that are looked at without a walk over all places. */
const few = 2000
const noLimit = -1

/**
 * Looks at those in the boxes, the newest first, until `look` returns that it has found enough. The tree knows only which
 * are nearly in a box, not which are newest: where that are many, all places are walked, from the newest on.
 */
function* inParts(db: Connection, search: MapSearch, look: (part: Condition) => boolean): Steps<void> {
  const near = db.rowsOf(nearQuery(search, few + 1))
  if (near.length <= few) {
    look(sql`place.rowid IN (SELECT value FROM json_each(${JSON.stringify(near.map(({ seq }) => seq))}))`)
    return
  }
  const pace = new Pace()
  let after: number | undefined = Number.MAX_SAFE_INTEGER
  while (after !== undefined) {
    yield
    const before: number = after
    after = pace.step(() => {
      const upTo = db.rowsOf(boundaryQuery(before, pace.rows))[0]?.seq
      const part = sql`place.rowid < ${before} AND place.rowid >= ${upTo ?? 0}`
      return look(part) ? undefined : upTo
    })
  }
}

interface Numbered {
  readonly seq: number
}

/** What is in the boxes, or nearly, up to a number, in the order of the tree; as SQL. */
export const nearQuery = ({ boxes }: MapSearch, limit: number): CompiledQuery<Numbered> =>
  sql<Numbered>`${sql.join(boxes.map(inBox), sql` UNION ALL `)} LIMIT ${limit}`.compile(builder)

/** The last of so many places before one, as SQL. */
export const boundaryQuery = (before: number, rows: number): CompiledQuery<Numbered> =>
  sql<Numbered>`SELECT rowid AS seq FROM positions_rowid WHERE rowid < ${before}
    ORDER BY rowid DESC LIMIT 1 OFFSET ${rows - 1}`.compile(builder)

/** One of another length, which may be long, is not read. */
const avatars = sql`(octet_length(vatoms.category) = 6 AND vatoms.category = 'avatar')`
const filters: Readonly<Record<MapSearch['filter'], Condition>> = {
  vatoms: sql`NOT ${avatars}`,
  avatars,
  all: sql`1`,
}

/** The places of a part, the newest first, as SQL. SQLite stores the two exact columns of the tree in `a0` and `a1`. */
export function placesQuery(
  { caller, boxes, filter, publisher }: MapSearch,
  part: Condition,
  limit: number,
): CompiledQuery<Numbered & Position> {
  const publishers = publisher === undefined ? sql`1` : sql`vatoms.publisher_fqdn = ${publisher}`
  const inBoxes = boxes.map(
    ({ west, east, south, north }) => sql`(a0 BETWEEN ${west} AND ${east} AND a1 BETWEEN ${south} AND ${north})`,
  )
  return sql<Numbered & Position>`SELECT place.rowid AS seq, a0 AS lon, a1 AS lat FROM positions_rowid AS place
    CROSS JOIN vatoms ON vatoms.seq = place.rowid
    CROSS JOIN variations ON variations.name = vatoms.template_variation
    WHERE ${part} AND ${anyOf(inBoxes)} AND (vatoms.owner = ${caller} OR (${onMapForOthers}))
      AND ${filters[filter]} AND ${publishers}
    ORDER BY place.rowid DESC LIMIT ${limit}`.compile(builder)
}

/** By the tree alone, whose bounds are a little wider than the points: those that a box just misses are read as well. */
const inBox = ({ west, east, south, north }: Box) => sql`
  SELECT id AS seq FROM positions
  WHERE max_lon >= ${west} AND min_lon <= ${east} AND max_lat >= ${south} AND min_lat <= ${north}`
