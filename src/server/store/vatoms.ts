import { type RawBuilder, sql } from 'kysely'
import { type Connection, query } from './query.ts'
import { withInside, withReached } from './reach.ts'
import { type Bit, bit } from './tables.ts'
import { changed, trashUser, vatomLifeOf } from './vatom-life.ts'

/** A vAtom: `json` is its record as it is answered. */
export interface VatomRow {
  readonly id: string
  readonly owner: string
  readonly template: string
  readonly template_variation: string
  readonly parent_id: string
  /** Effective visibility: whether everybody may find it. */
  readonly public: Bit
  readonly json: string
}

/** Where vAtoms are put: a folder or the root, and whether everybody may find it. */
export interface Place {
  readonly id: string
  readonly isPublic: boolean
}

/** vAtoms alike but for their ids; `json` is the record's text without its id. */
export interface Batch {
  readonly ids: readonly string[]
  readonly owner: string
  readonly author: string
  readonly publisher_fqdn: string
  readonly template: string
  readonly template_variation: string
  readonly parent_id: string
  readonly category: string
  readonly visibility_type: string
  readonly acquirable: boolean
  readonly public: boolean
  readonly created: number
  readonly json: string
}
type BatchValues = Omit<Batch, 'ids' | 'acquirable' | 'public'> & { ids: string; acquirable: Bit; public: Bit }

/** One statement however many there are: SQLite makes the texts, each with its id at the front. */
const insertBatch = query<BatchValues>()((db, value) => ({
  compile: () =>
    sql`INSERT INTO vatoms (id, owner, author, publisher_fqdn, template, template_variation, parent_id, category,
      visibility_type, in_contract, acquirable, public, created, json)
      SELECT value, ${value.owner}, ${value.author}, ${value.publisher_fqdn}, ${value.template},
      ${value.template_variation}, ${value.parent_id}, ${value.category}, ${value.visibility_type}, 0,
      ${value.acquirable}, ${value.public}, ${value.created}, '{"id":"' || value || '",' || ${value.json}
      FROM json_each(${value.ids})`.compile(db),
}))

const countOf = query<{ variation: string }>()((db, value) =>
  db
    .selectFrom('vatoms')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('template_variation', '=', value.variation),
)

const ofVariation = query<{ variation: string }>()((db, value) =>
  db
    .selectFrom('vatoms')
    .select(['id', 'owner', 'template', 'template_variation', 'parent_id', 'public', 'json'])
    .where('template_variation', '=', value.variation)
    .where('owner', '<>', trashUser),
)

const byId = query<{ id: string }>()((db, value) =>
  db
    .selectFrom('vatoms')
    .select(['id', 'owner', 'template', 'template_variation', 'parent_id', 'public', 'json'])
    .where('id', '=', value.id),
)

const withContents = query<{ id: string }>()((db, value) => ({
  compile: () =>
    sql<VatomRow>`${withInside(sql`SELECT ${value.id}`)}
      SELECT vatoms.id, owner, template, template_variation, parent_id, public, json
      FROM inside CROSS JOIN vatoms ON vatoms.id = inside.id`.compile(db),
}))

const contents = query<{ folder: string }>()((db, value) =>
  db
    .selectFrom('vatoms')
    .select(['id', 'owner', 'template', 'template_variation', 'parent_id', 'public', 'json'])
    .where('parent_id', '=', value.folder)
    .orderBy('created')
    .orderBy('seq'),
)

/** By the index of folders, each of which holds few: the `+` keeps that of variations out. */
const countIn = query<{ folder: string; variation: string }>()((db, value) => ({
  compile: () =>
    sql<{ count: number }>`SELECT count(*) AS count FROM vatoms
      WHERE parent_id = ${value.folder} AND +template_variation = ${value.variation}`.compile(db),
}))

const above = query<{ id: string }>()((db, value) => ({
  compile: () =>
    sql<{ id: string }>`WITH RECURSIVE above (id) AS (
      SELECT ${value.id}
      UNION
      SELECT vatoms.parent_id FROM above JOIN vatoms ON vatoms.id = above.id)
      SELECT id FROM above`.compile(db),
}))

const holding = query<{ variation: string }>()((db, value) =>
  db
    .selectFrom('vatoms as folder')
    .innerJoin('vatoms as child', 'child.parent_id', 'folder.id')
    .select('folder.id')
    .where('folder.template_variation', '=', value.variation)
    .limit(1),
)

/** By the index of templates, each of whose drafts has few: the `+` keeps that of owners out. */
const ownedOf = query<{ owner: string; template: string }>()((db, value) => ({
  compile: () =>
    sql`SELECT 1 FROM vatoms WHERE template = ${value.template} AND +owner = ${value.owner} LIMIT 1`.compile(db),
}))

const isPublic = query<{ id: string }>()((db, value) =>
  db.selectFrom('vatoms').select('public').where('id', '=', value.id),
)

type Change = { id: string; category: string; visibility_type: string; acquirable: Bit; json: string }
const change = query<Change>()((db, value) =>
  db
    .updateTable('vatoms')
    .set({
      category: value.category,
      visibility_type: value.visibility_type,
      acquirable: value.acquirable,
      json: value.json,
    })
    .where('id', '=', value.id),
)

const built = (path: string) => sql.lit(`$."vAtom::vAtomType".${path}`)

type Move = { ids: string; folder: string; now: string }
const move = query<Move>()((db, value) => ({
  compile: () =>
    sql`UPDATE vatoms SET parent_id = ${value.folder},
      json = json_set(json, ${built('parent_id')}, ${value.folder}, ${changed(value.now)})
      WHERE id IN (SELECT value FROM json_each(${value.ids}))`.compile(db),
}))

/** vAtoms, and what is found by whom they are found by, become public or cease to be. Spec 2.4. */
const published = (first: RawBuilder<unknown>, isPublic: Bit) =>
  sql`${withReached(first)} UPDATE vatoms SET public = ${isPublic} WHERE id IN (SELECT id FROM reached)`

const publish = query<{ id: string; public: Bit }>()((db, value) => ({
  compile: () => published(sql`SELECT ${value.id}`, value.public).compile(db),
}))

/** Where nothing changes for a vAtom, nothing does for what is in it. */
const inherit = query<{ ids: string; public: Bit }>()((db, value) => ({
  compile: () =>
    published(
      sql`SELECT id FROM vatoms WHERE id IN (SELECT value FROM json_each(${value.ids}))
        AND visibility_type = 'container' AND public <> ${value.public}`,
      value.public,
    ).compile(db),
}))

/** What is asked of folders, for its plans to be looked at. */
export const folderQueries = { contents, withContents, countIn, above }

/** vAtoms: the text of the record, and beside it what searches look at. */
export const vatomsOf = (db: Connection) => ({
  insert: (batch: Batch) =>
    db.run(insertBatch, {
      ...batch,
      ids: JSON.stringify(batch.ids),
      acquirable: bit(batch.acquirable),
      public: bit(batch.public),
    }),
  countOf: (variation: string) => db.first(countOf, { variation })?.count ?? 0,
  /** Those of a variation that are not trashed. */
  ofVariation: (variation: string): VatomRow[] => db.rows(ofVariation, { variation }),
  byId: (id: string): VatomRow | undefined => db.first(byId, { id }),
  /** What is in a folder, in the order it was made. */
  contents: (folder: string): VatomRow[] => db.rows(contents, { folder }),
  /** What was made first of what is in a folder. */
  firstIn: (folder: string): VatomRow | undefined => db.first(contents, { folder }),
  /** A vAtom, and what is in it, however deep. */
  withContents: (id: string): VatomRow[] => db.rows(withContents, { id }),
  /** How many vAtoms of a variation are in a folder. */
  countIn: (folder: string, variation: string) => db.first(countIn, { folder, variation })?.count ?? 0,
  /** Ids of a vAtom, the folder it is in, the one that is in, and so on up to the root. */
  above: (id: string) => db.rows(above, { id }).map((row) => row.id),
  /** Whether something is in a vAtom of a variation. */
  anyHolding: (variation: string) => db.first(holding, { variation }) !== undefined,
  /** Whether someone owns a vAtom of a template. */
  ownsAny: (owner: string, template: string) => db.first(ownedOf, { owner, template }) !== undefined,
  /** Whether everybody may find a vAtom; false for one that is not there. */
  isPublic: (id: string) => db.first(isPublic, { id })?.public === 1,
  change: (values: Change) => db.run(change, values),
  /** Sets who finds a vAtom and what takes its visibility from it. */
  setPublic: (id: string, isPublic: boolean) => db.run(publish, { id, public: bit(isPublic) }),
  /** Puts vAtoms into a folder; what takes its visibility from there does. The caller has made sure that they may. */
  move: (ids: readonly string[], { id: folder, isPublic }: Place, now: string) => {
    const list = JSON.stringify(ids)
    db.run(move, { ids: list, folder, now })
    db.run(inherit, { ids: list, public: bit(isPublic) })
  },
  ...vatomLifeOf(db),
})
