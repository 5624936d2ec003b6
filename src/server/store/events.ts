import type { Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import type { Tables } from './tables.ts'

export type EventRow = Selectable<Tables['events']>
/** An event that is about to be told. */
export type NewEvent = Omit<EventRow, 'seq'>

const append = query<NewEvent>()((db, value) =>
  db.insertInto('events').values({
    msg_type: value.msg_type,
    user_id: value.user_id,
    lat: value.lat,
    lon: value.lon,
    payload: value.payload,
    created: value.created,
  }),
)

const after = query<{ seq: number; limit: number }>()((db, value) =>
  db.selectFrom('events').selectAll().where('seq', '>', value.seq).orderBy('seq').limit(value.limit),
)

const last = query()((db) => db.selectFrom('events').select(({ fn }) => fn.max<number | null>('seq').as('seq')))

const forget = query<{ before: number }>()((db, value) => db.deleteFrom('events').where('created', '<', value.before))

/** Events, oldest first. */
export const eventsOf = (db: Connection) => ({
  append: (event: NewEvent) => db.run(append, event),
  /** Those that came after one. */
  after: (seq: number, limit: number) => db.rows(after, { seq, limit }),
  /** The latest one's number; 0 where there was none. */
  last: () => db.first(last, {})?.seq ?? 0,
  /** Deletes those from before a time, in milliseconds since 1970. */
  forget: (before: number) => db.run(forget, { before }),
})
