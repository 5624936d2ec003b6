import { sql } from 'kysely'
import { type Connection, query } from './query.ts'
import { type Bit, bit } from './tables.ts'

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
  db.selectFrom('vatoms').select(['id', 'parent_id', 'json']).where('template_variation', '=', value.variation),
)

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

/** What is in a folder by `container`, however deep, is found by whom the folder is found by. Spec 2.4. */
const publish = query<{ id: string; public: Bit }>()((db, value) => ({
  compile: () =>
    sql`WITH RECURSIVE reached (id) AS (
      SELECT ${value.id}
      UNION
      SELECT vatoms.id FROM vatoms JOIN reached ON vatoms.parent_id = reached.id
      WHERE vatoms.visibility_type = 'container')
      UPDATE vatoms SET public = ${value.public} WHERE id IN (SELECT id FROM reached)`.compile(db),
}))

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
  ofVariation: (variation: string) => db.rows(ofVariation, { variation }),
  /** Whether everybody may find a vAtom; false for one that is not there. */
  isPublic: (id: string) => db.first(isPublic, { id })?.public === 1,
  change: (values: Change) => db.run(change, values),
  /** Sets who finds a vAtom and what takes its visibility from it. */
  setPublic: (id: string, isPublic: boolean) => db.run(publish, { id, public: bit(isPublic) }),
})
