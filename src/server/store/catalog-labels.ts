import type { Connection } from './query.ts'
import { type PublisherPage, type RowOf, table, text } from './table.ts'

/** Which catalog a record belongs to; `key` is its name or a face's id. Triggers delete a label with its record. */
export const catalogLabels = table('catalog_labels', {
  key: ['kind', 'key'],
  columns: { kind: text, key: text, publisher_fqdn: text, catalog: text },
})
type CatalogLabelRow = RowOf<typeof catalogLabels>

const labelPage = catalogLabels.page({ where: ['publisher_fqdn'], order: ['kind', 'key'] })

/** The labels of records. */
export const catalogLabelsOf = (db: Connection) => ({
  page: ({ publisher, ...page }: PublisherPage) => db.rows(labelPage, { ...page, publisher_fqdn: publisher }),
  replace: (label: CatalogLabelRow) => db.run(catalogLabels.replace, label),
  remove: (label: Pick<CatalogLabelRow, 'kind' | 'key'>) => db.run(catalogLabels.remove, label),
})
