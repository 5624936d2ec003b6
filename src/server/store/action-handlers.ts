import type { Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import type { Tables } from './tables.ts'

export type ActionHandlerRow = Selectable<Tables['action_handlers']>

type Key = Pick<ActionHandlerRow, 'publisher_fqdn' | 'reactor'>
const find = query<Key>()((db, value) =>
  db
    .selectFrom('action_handlers')
    .selectAll()
    .where('publisher_fqdn', '=', value.publisher_fqdn)
    .where('reactor', '=', value.reactor),
)

type PageValues = { publisher: string; limit: number; offset: number }
const page = query<PageValues>()((db, value) =>
  db
    .selectFrom('action_handlers')
    .selectAll()
    .where('publisher_fqdn', '=', value.publisher)
    .orderBy('reactor')
    .limit(value.limit)
    .offset(value.offset),
)

const insert = query<ActionHandlerRow>()((db, value) =>
  db.insertInto('action_handlers').values({
    publisher_fqdn: value.publisher_fqdn,
    reactor: value.reactor,
    url: value.url,
    created_by: value.created_by,
    when_created: value.when_created,
  }),
)

const remove = query<Key>()((db, value) =>
  db
    .deleteFrom('action_handlers')
    .where('publisher_fqdn', '=', value.publisher_fqdn)
    .where('reactor', '=', value.reactor),
)

/** Where a publisher's own reactors are carried out; each publisher has a space of its own. */
export const actionHandlersOf = (db: Connection) => ({
  find: (key: Key) => db.first(find, key),
  /** A page of a publisher's, by reactor. */
  page: (values: PageValues) => db.rows(page, values),
  insert: (handler: ActionHandlerRow) => db.run(insert, handler),
  /** How many went: none where there is no such handler. */
  remove: (key: Key) => db.run(remove, key),
})
