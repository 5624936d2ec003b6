import { type RawBuilder, sql } from 'kysely'
import { builder, type Connection, query } from '../query.ts'
import { type Bit, bit } from '../table.ts'
import { type VatomRow, vatomColumns, vatoms } from './vatoms.ts'

/** A folder or the root, and whether everybody may find it. */
export interface Place {
  readonly id: string
  readonly isPublic: boolean
}

/** `WITH inside (id)`: the vAtoms that a statement selects, and all in them, at any depth. */
export const withInside = (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  WITH RECURSIVE inside (id) AS (
    ${first}
    UNION
    SELECT vatoms.id FROM inside JOIN vatoms ON vatoms.parent_id = inside.id)`

/** `WITH reached (id)`: vAtoms, and all in them, at any depth, that take their visibility from them. Spec 2.4. */
export const withReached = (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  WITH RECURSIVE reached (id) AS (
    ${first}
    UNION
    SELECT vatoms.id FROM reached JOIN vatoms ON vatoms.parent_id = reached.id
    WHERE vatoms.visibility_type = 'container')`

/** What every change of a record's text updates. */
export const changed = (now: string) => sql`'$.sync', json_extract(json, '$.sync') + 1, '$.when_modified', ${now}`

const withContents = query<{ id: string }>()(
  (value) =>
    sql<VatomRow>`${withInside(sql`SELECT ${value.id}`)}
      SELECT ${sql.join(vatomColumns.map((column) => sql.ref(`vatoms.${column}`)))}
      FROM inside CROSS JOIN vatoms ON vatoms.id = inside.id`,
)

const contents = vatoms.select({ read: vatomColumns, where: ['parent_id'], order: ['created', 'seq'] })

/** Uses the index of folders, as each holds few: the `+` prevents the use of that of variations. */
const countIn = query<{ folder: string; variation: string }>()(
  (value) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM vatoms
      WHERE parent_id = ${value.folder} AND +template_variation = ${value.variation}`,
)

const above = query<{ id: string }>()(
  (value) =>
    sql<{ id: string }>`WITH RECURSIVE above (id) AS (
      SELECT ${value.id}
      UNION
      SELECT vatoms.parent_id FROM above JOIN vatoms ON vatoms.id = above.id)
      SELECT id FROM above`,
)

const holding = query<{ variation: string }>()((value) =>
  builder
    .selectFrom('vatoms as folder')
    .innerJoin('vatoms as child', 'child.parent_id', 'folder.id')
    .select('folder.id')
    .where('folder.template_variation', '=', value.variation)
    .limit(1),
)

const built = (path: string) => sql.lit(`$."vAtom::vAtomType".${path}`)

type Move = { ids: string; folder: string; now: string }
const move = query<Move>()(
  (value) =>
    sql`UPDATE vatoms SET parent_id = ${value.folder},
      json = json_set(json, ${built('parent_id')}, ${value.folder}, ${changed(value.now)})
      WHERE id IN (SELECT value FROM json_each(${value.ids}))`,
)

/** Makes vAtoms, and what takes its visibility from them, public or not. Spec 2.4. */
const published = (first: RawBuilder<unknown>, isPublic: Bit) =>
  sql`${withReached(first)} UPDATE vatoms SET public = ${isPublic} WHERE id IN (SELECT id FROM reached)`

const publish = query<{ id: string; public: Bit }>()((value) => published(sql`SELECT ${value.id}`, value.public))

/** Only vAtoms whose visibility changes: else nothing changes for what is in them. */
const inherit = query<{ ids: string; public: Bit }>()((value) =>
  published(
    sql`SELECT id FROM vatoms WHERE id IN (SELECT value FROM json_each(${value.ids}))
        AND visibility_type = 'container' AND public <> ${value.public}`,
    value.public,
  ),
)

/** The queries of folders, for the tests of their plans. */
export const folderQueries = { contents, withContents, countIn, above }

/** What is in folders, and who finds it there. */
export const foldersOf = (db: Connection) => ({
  /** What is in a folder, the oldest first. */
  contents: (folder: string): VatomRow[] => db.rows(contents, { parent_id: folder }),
  /** The oldest vAtom in a folder. */
  firstIn: (folder: string): VatomRow | undefined => db.first(contents, { parent_id: folder }),
  /** A vAtom, and all in it, at any depth. */
  withContents: (id: string): VatomRow[] => db.rows(withContents, { id }),
  /** How many vAtoms of a variation are in a folder. */
  countIn: (folder: string, variation: string) => db.first(countIn, { folder, variation })?.count ?? 0,
  /** Ids of a vAtom, its folder, the folder of that, and so on up to the root. */
  above: (id: string) => db.rows(above, { id }).map((row) => row.id),
  /** Whether any vAtom of a variation has something in it. */
  anyHolding: (variation: string) => db.first(holding, { variation }) !== undefined,
  /** Sets whether everybody finds a vAtom, and what takes its visibility from it. */
  setPublic: (id: string, isPublic: boolean) => db.run(publish, { id, public: bit(isPublic) }),
  /** Moves vAtoms into a folder; those that take their visibility from it do so. Checks no rights. */
  move: (ids: readonly string[], { id: folder, isPublic }: Place, now: string) => {
    const list = JSON.stringify(ids)
    db.run(move, { ids: list, folder, now })
    db.run(inherit, { ids: list, public: bit(isPublic) })
  },
})
