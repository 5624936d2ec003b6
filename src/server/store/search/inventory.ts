import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { InventoryStats } from '../../../contract/api/vatom.ts'
import type { ReadCaches } from '../database/read-caches.ts'
import { type Connection, query } from '../query.ts'
import type { Steps } from '../slices.ts'
import type { Page } from '../table.ts'
import { columnsAfter, type Key } from '../vatoms/vatom-order.ts'
import { root } from '../vatoms/vatoms.ts'
import { PageMarks } from './page-marks.ts'
import { type Branch, pageOf, type Walk } from './scan.ts'

/** The version of a vAtom in its owner's inventory. */
export interface Version extends Key {
  readonly id: string
  readonly sync: number
  readonly when_modified: string
}

/** How many vAtoms of a variation a user has. */
type VariationCount = InventoryStats['stats'][number]

/** Those with given ids, in the order of the ids. */
const named = query<{ ids: string; caller: string }>()(
  (value) =>
    sql<{ seq: number }>`SELECT vatoms.seq FROM json_each(${value.ids}) AS wanted
      CROSS JOIN vatoms ON vatoms.id = wanted.value
      WHERE vatoms.public = 1 OR vatoms.owner = ${value.caller}
      ORDER BY wanted.key`,
)

/** Columns of vAtoms that a user owns, from a key on, the oldest first. */
const ownedAfter = <R extends Key>(columns: RawBuilder<unknown>) =>
  query<Key & { owner: string; limit: number }>()(
    (value) => sql<R>`${columnsAfter(columns, sql`owner = ${value.owner}`, value)} LIMIT ${value.limit}`,
  )

const versions = ownedAfter<Version>(
  sql`id, created, seq, json_extract(json, '$.sync') AS sync, json_extract(json, '$.when_modified') AS when_modified`,
)
const templates = ownedAfter<Key & { template: string }>(sql`created, seq, template`)

/** The first of the variations of what a user owns, by name, after a name. */
const nextVariation = query<{ owner: string; after: string }>()(
  (value) =>
    sql<{ name: string }>`SELECT template_variation AS name FROM vatoms
      WHERE owner = ${value.owner} AND template_variation > ${value.after} ORDER BY template_variation LIMIT 1`,
)

interface Counted {
  readonly count: number
  /** The number (`seq`) of the last of them. */
  readonly last: number
}

/** How many vAtoms of a variation a user owns, of those after a number (`seq`) and no more than `limit`. */
const counted = query<{ owner: string; variation: string; after: number; limit: number }>()(
  (value) =>
    sql<Counted>`SELECT count(*) AS count, max(seq) AS last FROM (SELECT seq FROM vatoms
      WHERE owner = ${value.owner} AND template_variation = ${value.variation} AND seq > ${value.after}
      ORDER BY seq LIMIT ${value.limit})`,
)

/** The queries of an inventory, for the tests of their plans. */
export const inventoryQueries = { named, versions, nextVariation, counted, templates }

const beginning: Key = { created: -1, seq: 0 }

/** Inventories of which places are remembered. */
const remembered = 100

/** vAtoms that a step reads. */
const batch = 500
/** The same where it reads what their JSON says: that of each can be long. */
const jsonBatch = 50
/** The same where it counts them in an index. */
const countBatch = 5000

/** Reads vAtoms in batches, the oldest first, until `take` has enough: `read` gives some after a key. */
function* inBatches<Row extends Key>(
  read: (after: Key, limit: number) => readonly Row[],
  take: (row: Row) => unknown,
  { size = batch, from = beginning, most = Number.POSITIVE_INFINITY } = {},
): Steps<void> {
  let after: Key | undefined = from
  for (let left = most; after && left > 0; left -= size) {
    const limit: number = Math.min(size, left)
    const rows: readonly Row[] = read(after, limit)
    rows.forEach(take)
    after = rows.length === limit ? rows.at(-1) : undefined
    yield
  }
}

/** How many vAtoms of a variation a user has, as numbers that add up to it: each is soon counted. */
function* countsIn(db: Connection, of: { owner: string; variation: string }): Generator<number, void> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const some: Counted | undefined = db.first(counted, { ...of, after, limit: countBatch })
    yield some?.count ?? 0
    after = some?.count === countBatch ? some.last : undefined
  }
}

/** All that a user has, or what they have in a folder or at the root, where most of it is. */
export const inventoryWalk = (owner: string, folder: string | undefined): Walk => ({
  branches: [branchIn(owner, folder)],
  filter: [],
})

function branchIn(owner: string, folder: string | undefined): Branch {
  const mine = sql`owner = ${owner}`
  if (folder === undefined) return { walk: mine }
  // All users share the root.
  if (folder === root) return { walk: mine, where: sql`+parent_id = ${root}` }
  return { walk: sql`parent_id = ${folder}`, where: sql`+owner = ${owner}` }
}

/** A user's vAtoms, and vAtoms by id. */
export function inventoryOf(db: Connection, caches: ReadCaches) {
  const marksOf = caches.of<PageMarks>({ most: remembered })
  const versionsOf = (owner: string) => (after: Key, limit: number) => db.rows(versions, { owner, ...after, limit })
  return {
    /** Numbers (`seq`) of those with given ids that a user may see, in the order of the ids. */
    named: (ids: readonly string[], caller: string): number[] =>
      db.rows(named, { ids: JSON.stringify(ids), caller }).map(({ seq }) => seq),
    /** Numbers (`seq`) of a page of a user's vAtoms, the newest first: of all, or those in a folder or at the root. */
    page: function* (owner: string, folder: string | undefined, page: Page): Steps<number[]> {
      const marks = marksOf(JSON.stringify([owner, folder]), () => new PageMarks())
      return yield* pageOf(db, inventoryWalk(owner, folder), page, marks)
    },
    /** The variations of all that a user has, by name; each is read when it is wanted. */
    variationsOf: function* (owner: string): Generator<string, void> {
      const after = (name: string) => db.first(nextVariation, { owner, after: name })
      for (let next = after(''); next; next = after(next.name)) yield next.name
    },
    /** How many vAtoms a user has of variations, in their order; an empty batch comes whenever some were counted. */
    countsOf: function* (owner: string, variations: Iterable<string>): Generator<readonly VariationCount[], void> {
      for (const variation of variations) {
        let count = 0
        for (const some of countsIn(db, { owner, variation })) {
          count += some
          yield []
        }
        yield [{ template_variation: variation, count }]
      }
    },
    /** The templates of all that a user has. */
    templatesOf: function* (owner: string): Steps<ReadonlySet<string>> {
      const found = new Set<string>()
      yield* inBatches(
        (after, limit) => db.rows(templates, { owner, ...after, limit }),
        ({ template }) => found.add(template),
      )
      return found
    },
    /** The versions of some of a user's vAtoms, the oldest first, after a key. */
    versions: function* (owner: string, most: number, from: Key = beginning): Steps<Version[]> {
      const found: Version[] = []
      yield* inBatches(versionsOf(owner), (version) => found.push(version), { size: jsonBatch, from, most })
      return found
    },
    /** A hash of the versions of all of a user's vAtoms. */
    hash: function* (owner: string): Steps<string> {
      const hash = createHash('sha256')
      yield* inBatches(
        versionsOf(owner),
        ({ id, sync, when_modified }) => hash.update(`${id} ${sync} ${when_modified}\n`),
        { size: jsonBatch },
      )
      return hash.digest('hex')
    },
  }
}
