import { type SqlBool, sql } from 'kysely'
import { type Connection, eachOf, query } from './query.ts'
import { fixed, nullable, type PublisherPage, type RowOf, table, text, truth } from './table.ts'

/** Who made and last changed a record, and when. */
export const meta = {
  created_by: fixed(text),
  when_created: fixed(text),
  modified_by: text,
  when_modified: text,
}

export const templates = table('templates', {
  key: ['name'],
  columns: {
    name: text,
    publisher_fqdn: fixed(text),
    unpublished: truth,
    public: truth,
    cloneable: truth,
    /** JSON of the vatom section, defaults filled in. */
    vatom: text,
    /** JSON of the eth section, typed. */
    eth: nullable(text),
    /** JSON of the eos section. */
    eos: nullable(text),
    ...meta,
  },
})
export type TemplateRow = RowOf<typeof templates>

/** Condition: a template or variation is the publisher's own, or public and published. Spec 2.2. */
export const readableBy = (publisher: string) =>
  sql<SqlBool>`(publisher_fqdn = ${publisher} OR (public = 1 AND unpublished = 0))`

/** The names of a page of what a publisher may read: its own merged with what others made public, each in the order of an index. */
export const readableNames = (records: 'templates' | 'variations') =>
  query<PublisherPage>()(
    (value) => sql<{ name: string }>`SELECT name FROM ${sql.table(records)} WHERE publisher_fqdn = ${value.publisher}
      UNION ALL SELECT name FROM ${sql.table(records)}
        WHERE public = 1 AND unpublished = 0 AND publisher_fqdn <> ${value.publisher}
      ORDER BY name LIMIT ${value.limit} OFFSET ${value.offset}`,
  )

const page = readableNames('templates')

/** The queries of lists, for the tests of their plans. */
export const templateLists = { page }

/** Templates, by their unique names. */
export const templatesOf = (db: Connection) => ({
  byName: (name: string) => db.first(templates.find, { name }),
  /** The publisher's own and what others made public, by name, each read when it is wanted. */
  page: (values: PublisherPage) => eachOf(db, templates.find, db.rows(page, values)),
  insert: (template: TemplateRow) => db.run(templates.insert, template),
  update: (template: TemplateRow) => db.run(templates.update, template),
  remove: (name: string) => db.run(templates.remove, { name }),
})
