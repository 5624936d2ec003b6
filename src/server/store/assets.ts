import type { Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import type { Tables } from './tables.ts'

export type AssetRow = Omit<Selectable<Tables['assets']>, 'seq'>

const columns = [
  'id',
  'publisher_fqdn',
  'name',
  'content_type',
  'size',
  'sha256',
  'created_by',
  'when_created',
] as const

const insert = query<AssetRow>()((db, value) =>
  db.insertInto('assets').values({
    id: value.id,
    publisher_fqdn: value.publisher_fqdn,
    name: value.name,
    content_type: value.content_type,
    size: value.size,
    sha256: value.sha256,
    created_by: value.created_by,
    when_created: value.when_created,
  }),
)

const byId = query<{ id: string }>()((db, value) => db.selectFrom('assets').select(columns).where('id', '=', value.id))

type PageValues = { publisher: string; limit: number; offset: number }
const page = query<PageValues>()((db, value) =>
  db
    .selectFrom('assets')
    .select(columns)
    .where('publisher_fqdn', '=', value.publisher)
    .orderBy('seq')
    .limit(value.limit)
    .offset(value.offset),
)

const remove = query<{ id: string }>()((db, value) => db.deleteFrom('assets').where('id', '=', value.id))

/** Uploaded files, by id; a publisher's in order of upload. */
export const assetsOf = (db: Connection) => ({
  insert: (asset: AssetRow) => db.run(insert, asset),
  byId: (id: string) => db.first(byId, { id }),
  page: (values: PageValues) => db.rows(page, values),
  remove: (id: string) => db.run(remove, { id }),
})
