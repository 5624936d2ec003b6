import type { Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import { readableBy } from './readable.ts'
import type { Tables } from './tables.ts'

export type TemplateRow = Selectable<Tables['templates']>

const byName = query<{ name: string }>()((db, value) =>
  db.selectFrom('templates').selectAll().where('name', '=', value.name),
)

/** One's own and what others made public, by name. */
const page = query<{ publisher: string; limit: number; offset: number }>()((db, value) =>
  db
    .selectFrom('templates')
    .selectAll()
    .where(readableBy(value.publisher))
    .orderBy('name')
    .limit(value.limit)
    .offset(value.offset),
)

const insert = query<TemplateRow>()((db, value) =>
  db.insertInto('templates').values({
    name: value.name,
    publisher_fqdn: value.publisher_fqdn,
    unpublished: value.unpublished,
    public: value.public,
    cloneable: value.cloneable,
    vatom: value.vatom,
    eth: value.eth,
    eos: value.eos,
    created_by: value.created_by,
    when_created: value.when_created,
    modified_by: value.modified_by,
    when_modified: value.when_modified,
  }),
)

const update = query<TemplateRow>()((db, value) =>
  db
    .updateTable('templates')
    .set({
      unpublished: value.unpublished,
      public: value.public,
      cloneable: value.cloneable,
      vatom: value.vatom,
      eth: value.eth,
      eos: value.eos,
      modified_by: value.modified_by,
      when_modified: value.when_modified,
    })
    .where('name', '=', value.name),
)

const remove = query<{ name: string }>()((db, value) => db.deleteFrom('templates').where('name', '=', value.name))

/** Templates, by their unique names. */
export const templatesOf = (db: Connection) => ({
  byName: (name: string) => db.first(byName, { name }),
  page: (values: { publisher: string; limit: number; offset: number }) => db.rows(page, values),
  insert: (template: TemplateRow) => db.run(insert, template),
  update: (template: TemplateRow) => db.run(update, template),
  remove: (name: string) => db.run(remove, { name }),
})
