import { sql } from 'kysely'
import type { InventoryStats } from '../../../contract/api/vatom.ts'
import { type Connection, query } from '../query.ts'
import type { Page } from '../table.ts'
import type { Found } from './search.ts'

/** A position in an inventory whose oldest vAtoms come first. */
export interface Mark {
  readonly created: number
  readonly seq: number
}

/** The version of a vAtom in its owner's inventory. */
export interface Version extends Mark {
  readonly id: string
  readonly sync: number
  readonly when_modified: string
}

/** How many vAtoms of a variation a user has. */
type VariationCount = InventoryStats['stats'][number]

/** Those with given ids, in the order of the ids. */
const named = query<{ ids: string; caller: string }>()(
  (value) =>
    sql<Found>`SELECT vatoms.json, vatoms.template FROM json_each(${value.ids}) AS wanted
      CROSS JOIN vatoms ON vatoms.id = wanted.value
      WHERE vatoms.public = 1 OR vatoms.owner = ${value.caller}
      ORDER BY wanted.key`,
)

const all = query<Page & { owner: string }>()(
  (value) =>
    sql<Found>`SELECT vatoms.json, vatoms.template FROM
        (SELECT seq FROM vatoms WHERE owner = ${value.owner}
          ORDER BY created DESC, seq DESC LIMIT ${value.limit} OFFSET ${value.offset}) AS found
      CROSS JOIN vatoms ON vatoms.seq = found.seq`,
)

/** Most of an inventory is at its root: the `+` prevents the use of the index of folders, where all users share a root. */
const atRoot = query<Page & { owner: string }>()(
  (value) =>
    sql<Found>`SELECT json, template FROM vatoms WHERE owner = ${value.owner} AND +parent_id = '.'
      ORDER BY created DESC, seq DESC LIMIT ${value.limit} OFFSET ${value.offset}`,
)

/** Uses the index of folders: the `+` prevents the use of that of owners. */
const inside = query<Page & { folder: string; owner: string }>()(
  (value) =>
    sql<Found>`SELECT json, template FROM vatoms WHERE parent_id = ${value.folder} AND +owner = ${value.owner}
      ORDER BY created DESC, seq DESC LIMIT ${value.limit} OFFSET ${value.offset}`,
)

const versions = query<Mark & { owner: string; limit: number }>()(
  (value) =>
    sql<Version>`SELECT id, created, seq, json_extract(json, '$.sync') AS sync,
        json_extract(json, '$.when_modified') AS when_modified
      FROM vatoms WHERE owner = ${value.owner} AND (created, seq) > (${value.created}, ${value.seq})
      ORDER BY created, seq LIMIT ${value.limit}`,
)

const ofVariations = query<{ owner: string }>()(
  (value) =>
    sql<VariationCount>`SELECT template_variation, count(*) AS count FROM vatoms WHERE owner = ${value.owner}
      GROUP BY template_variation ORDER BY template_variation`,
)

/** The queries of an inventory, for the tests of their plans. */
export const inventoryQueries = { named, all, atRoot, inside, versions, ofVariations }

const beginning: Mark = { created: -1, seq: 0 }
const noLimit = -1

/** A user's vAtoms, and vAtoms by id. */
export const inventoryOf = (db: Connection) => ({
  /** Those with given ids that a user may see, in the order of the ids. */
  named: (ids: readonly string[], caller: string) => db.rows(named, { ids: JSON.stringify(ids), caller }),
  /** A page of all vAtoms of a user, the newest first. */
  all: (owner: string, page: Page) => db.rows(all, { owner, ...page }),
  /** A page of a user's vAtoms in a folder, or at the root. */
  inside: (folder: string, owner: string, page: Page) =>
    folder === '.' ? db.rows(atRoot, { owner, ...page }) : db.rows(inside, { folder, owner, ...page }),
  /** How many vAtoms a user has of each variation, by its name. */
  ofVariations: (owner: string) => db.rows(ofVariations, { owner }),
  /** The versions of a user's vAtoms, the oldest first: all of them, or a number of them after a mark. */
  versions: (
    owner: string,
    { after = beginning, limit = noLimit }: { after?: Mark | undefined; limit?: number } = {},
  ) => db.rows(versions, { owner, ...after, limit }),
})
