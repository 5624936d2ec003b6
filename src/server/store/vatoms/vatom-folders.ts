import { type RawBuilder, sql } from 'kysely'
import { builder, type Connection, query } from '../query.ts'
import { type Bit, bit } from '../table.ts'
import { type VatomRow, vatomColumns, vatoms } from './vatoms.ts'

/** Where vAtoms are put: a folder or the root, and whether everybody may find it. */
export interface Place {
  readonly id: string
  readonly isPublic: boolean
}

/** `WITH inside (id)`: vAtoms, which a statement selects, and what is in them, however deep. */
export const withInside = (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  WITH RECURSIVE inside (id) AS (
    ${first}
    UNION
    SELECT vatoms.id FROM inside JOIN vatoms ON vatoms.parent_id = inside.id)`

/** `WITH reached (id)`: vAtoms, and what is in them by `container`, however deep: all are found by the same. Spec 2.4. */
export const withReached = (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  WITH RECURSIVE reached (id) AS (
    ${first}
    UNION
    SELECT vatoms.id FROM reached JOIN vatoms ON vatoms.parent_id = reached.id
    WHERE vatoms.visibility_type = 'container')`

/** What every change of a record's text brings with it. */
export const changed = (now: string) => sql`'$.sync', json_extract(json, '$.sync') + 1, '$.when_modified', ${now}`

const withContents = query<{ id: string }>()(
  (value) =>
    sql<VatomRow>`${withInside(sql`SELECT ${value.id}`)}
      SELECT ${sql.join(vatomColumns.map((column) => sql.ref(`vatoms.${column}`)))}
      FROM inside CROSS JOIN vatoms ON vatoms.id = inside.id`,
)

const contents = vatoms.select({ read: vatomColumns, where: ['parent_id'], order: ['created', 'seq'] })

/** By the index of folders, each of which holds few: the `+` keeps that of variations out. */
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

/** vAtoms, and what is found by whom they are found by, become public or cease to be. Spec 2.4. */
const published = (first: RawBuilder<unknown>, isPublic: Bit) =>
  sql`${withReached(first)} UPDATE vatoms SET public = ${isPublic} WHERE id IN (SELECT id FROM reached)`

const publish = query<{ id: string; public: Bit }>()((value) => published(sql`SELECT ${value.id}`, value.public))

/** Where nothing changes for a vAtom, nothing does for what is in it. */
const inherit = query<{ ids: string; public: Bit }>()((value) =>
  published(
    sql`SELECT id FROM vatoms WHERE id IN (SELECT value FROM json_each(${value.ids}))
        AND visibility_type = 'container' AND public <> ${value.public}`,
    value.public,
  ),
)

/** The queries of folders, for the tests of their plans. */
export const folderQueries = { contents, withContents, countIn, above }

/** What is in folders, and what follows of being in them. */
export const foldersOf = (db: Connection) => ({
  /** What is in a folder, in the order it was made. */
  contents: (folder: string): VatomRow[] => db.rows(contents, { parent_id: folder }),
  /** What was made first of what is in a folder. */
  firstIn: (folder: string): VatomRow | undefined => db.first(contents, { parent_id: folder }),
  /** A vAtom, and what is in it, however deep. */
  withContents: (id: string): VatomRow[] => db.rows(withContents, { id }),
  /** How many vAtoms of a variation are in a folder. */
  countIn: (folder: string, variation: string) => db.first(countIn, { folder, variation })?.count ?? 0,
  /** Ids of a vAtom, the folder it is in, the one that is in, and so on up to the root. */
  above: (id: string) => db.rows(above, { id }).map((row) => row.id),
  /** Whether something is in a vAtom of a variation. */
  anyHolding: (variation: string) => db.first(holding, { variation }) !== undefined,
  /** Sets who finds a vAtom and what takes its visibility from it. */
  setPublic: (id: string, isPublic: boolean) => db.run(publish, { id, public: bit(isPublic) }),
  /** Puts vAtoms into a folder; what takes its visibility from there does. The caller has made sure that they may. */
  move: (ids: readonly string[], { id: folder, isPublic }: Place, now: string) => {
    const list = JSON.stringify(ids)
    db.run(move, { ids: list, folder, now })
    db.run(inherit, { ids: list, public: bit(isPublic) })
  },
})
