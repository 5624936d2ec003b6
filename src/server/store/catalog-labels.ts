import { sql } from 'kysely'
import type { KindName } from '../../contract/values.ts'
import { faces } from './faces.ts'
import { type Connection, type Query, query } from './query.ts'
import { type PublisherPage, type RowOf, table, text } from './table.ts'
import { templates } from './templates.ts'
import { variations } from './variations.ts'

/** Which catalog a record belongs to; `key` is its name or a face's id. Triggers delete a label with its record. */
export const catalogLabels = table('catalog_labels', {
  key: ['kind', 'key'],
  columns: { kind: text, key: text, publisher_fqdn: text, catalog: text, revision: text },
})
type CatalogLabelRow = RowOf<typeof catalogLabels>

type Key = { readonly name: string }
type Owner = { readonly publisher_fqdn: string }

/** The publisher of the template that a face or an action belongs to. */
const ownerOf = (records: 'faces' | 'actions', key: 'id' | 'name') =>
  query<Key>()(
    (value) =>
      sql<Owner>`SELECT publisher_fqdn FROM ${sql.table(records)} AS records
        JOIN templates ON templates.name = records.template WHERE records.${sql.ref(key)} = ${value.name}`,
  )

/** Who owns a record of a kind, without its text, which can be long. */
const owners: Readonly<Record<KindName, Query<Key, Owner>>> = {
  template: templates.select({ read: ['publisher_fqdn'], where: ['name'] }),
  variation: variations.select({ read: ['publisher_fqdn'], where: ['name'] }),
  face: ownerOf('faces', 'id'),
  action: ownerOf('actions', 'name'),
}

const labelled = catalogLabels.select({ read: ['catalog'], where: ['kind', 'key'] })
const templateOf = faces.select({ read: ['template'], where: ['id'] })
const labelPage = catalogLabels.page({ where: ['publisher_fqdn'], order: ['kind', 'key'] })

/** The labels of records. */
export const catalogLabelsOf = (db: Connection) => ({
  page: ({ publisher, ...page }: PublisherPage) => db.rows(labelPage, { ...page, publisher_fqdn: publisher }),
  /** Domain name of the publisher of a record; none if it does not exist. */
  publisherOf: (kind: KindName, key: string) => db.first(owners[kind], { name: key })?.publisher_fqdn,
  /** The catalog that a record belongs to; none if it has no label. */
  catalogOf: (record: Pick<CatalogLabelRow, 'kind' | 'key'>) => db.first(labelled, record)?.catalog,
  /** The template of a face. */
  templateOf: (face: string) => db.first(templateOf, { id: face })?.template,
  replace: (label: CatalogLabelRow) => db.run(catalogLabels.replace, label),
  remove: (label: Pick<CatalogLabelRow, 'kind' | 'key'>) => db.run(catalogLabels.remove, label),
})
