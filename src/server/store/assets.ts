import type { Connection } from './query.ts'
import { integer, type NewRowOf, type PublisherPage, table, text } from './table.ts'

/** Uploaded files; `seq` is the order of upload, `size` in bytes, `sha256` hexadecimal. */
export const assets = table('assets', {
  key: ['id'],
  columns: {
    seq: integer,
    id: text,
    publisher_fqdn: text,
    name: text,
    content_type: text,
    size: integer,
    sha256: text,
    created_by: text,
    when_created: text,
  },
})
export type AssetRow = NewRowOf<typeof assets>

const byId = assets.select({ read: assets.fields, where: ['id'] })
const ofPublisher = assets.page({ read: assets.fields, where: ['publisher_fqdn'], order: ['seq'] })

/** Uploaded files, by id; a publisher's in order of upload. */
export const assetsOf = (db: Connection) => ({
  insert: (asset: AssetRow) => db.run(assets.insert, asset),
  byId: (id: string): AssetRow | undefined => db.first(byId, { id }),
  page: ({ publisher, ...page }: PublisherPage): AssetRow[] =>
    db.rows(ofPublisher, { ...page, publisher_fqdn: publisher }),
  remove: (id: string) => db.run(assets.remove, { id }),
})
