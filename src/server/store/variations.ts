import type { Kysely, Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import { readableBy } from './readable.ts'
import type { Tables } from './tables.ts'

export type VariationRow = Selectable<Tables['variations']>

const byName = query<{ name: string }>()((db, value) =>
  db.selectFrom('variations').selectAll().where('name', '=', value.name),
)

const firstOf = query<{ template: string }>()((db, value) =>
  db.selectFrom('variations').select('name').where('template', '=', value.template).orderBy('name').limit(1),
)

const ofTemplate = query<{ template: string }>()((db, value) =>
  db.selectFrom('variations').selectAll().where('template', '=', value.template).orderBy('name'),
)

interface PageValues {
  readonly publisher: string
  readonly limit: number
  readonly offset: number
}
const listed = (db: Kysely<Tables>, value: PageValues) =>
  db
    .selectFrom('variations')
    .selectAll()
    .where(readableBy(value.publisher))
    .orderBy('name')
    .limit(value.limit)
    .offset(value.offset)
const page = query<PageValues>()(listed)
const pageOfTemplate = query<PageValues & { template: string }>()((db, value) =>
  listed(db, value).where('template', '=', value.template),
)

const insert = query<VariationRow>()((db, value) =>
  db.insertInto('variations').values({
    name: value.name,
    template: value.template,
    publisher_fqdn: value.publisher_fqdn,
    unpublished: value.unpublished,
    public: value.public,
    auto_create_on_acquire: value.auto_create_on_acquire,
    cloning_gain: value.cloning_gain,
    max_clones: value.max_clones,
    num_clones: value.num_clones,
    overrides: value.overrides,
    resolved: value.resolved,
    created_by: value.created_by,
    when_created: value.when_created,
    modified_by: value.modified_by,
    when_modified: value.when_modified,
  }),
)

const update = query<VariationRow>()((db, value) =>
  db
    .updateTable('variations')
    .set({
      unpublished: value.unpublished,
      public: value.public,
      auto_create_on_acquire: value.auto_create_on_acquire,
      cloning_gain: value.cloning_gain,
      max_clones: value.max_clones,
      overrides: value.overrides,
      resolved: value.resolved,
      modified_by: value.modified_by,
      when_modified: value.when_modified,
    })
    .where('name', '=', value.name),
)

const countClone = query<{ name: string }>()((db, value) =>
  db
    .updateTable('variations')
    .set((row) => ({ num_clones: row('num_clones', '+', 1) }))
    .where('name', '=', value.name),
)

const remove = query<{ name: string }>()((db, value) => db.deleteFrom('variations').where('name', '=', value.name))

/** Template variations, by their unique names. */
export const variationsOf = (db: Connection) => ({
  byName: (name: string) => db.first(byName, { name }),
  ofTemplate: (template: string) => db.rows(ofTemplate, { template }),
  /** The name of one of a template's, if it has any. */
  firstOf: (template: string) => db.first(firstOf, { template })?.name,
  /** One's own and what others made public, by name; of one template where it is named. */
  page: ({ template, ...values }: PageValues & { readonly template: string | undefined }) =>
    template === undefined ? db.rows(page, values) : db.rows(pageOfTemplate, { ...values, template }),
  insert: (variation: VariationRow) => db.run(insert, variation),
  update: (variation: VariationRow) => db.run(update, variation),
  /** Counts one more clone of its vAtoms. */
  countClone: (name: string) => db.run(countClone, { name }),
  remove: (name: string) => db.run(remove, { name }),
})
