import type { Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import type { Tables } from './tables.ts'

export type EventRow = Selectable<Tables['events']>
/** An event that is about to be told. */
export type NewEvent = Omit<EventRow, 'seq'>

/** Milliseconds for which an event is kept: who is connected hears of it within a tenth of a second. */
const keptFor = 600_000
/** Events kept at most. */
const keptMost = 10_000
/** What is too old or too many is forgotten with every so many-th event. */
const forgetEvery = 64

const append = query<NewEvent>()((db, value) =>
  db
    .insertInto('events')
    .values({
      msg_type: value.msg_type,
      user_id: value.user_id,
      lat: value.lat,
      lon: value.lon,
      payload: value.payload,
      created: value.created,
    })
    .returning('seq'),
)

const after = query<{ seq: number; limit: number }>()((db, value) =>
  db.selectFrom('events').selectAll().where('seq', '>', value.seq).orderBy('seq').limit(value.limit),
)

const last = query()((db) => db.selectFrom('events').select(({ fn }) => fn.max<number | null>('seq').as('seq')))

const forget = query<{ before: number; upTo: number }>()((db, value) =>
  db.deleteFrom('events').where(({ eb, or }) => or([eb('created', '<', value.before), eb('seq', '<=', value.upTo)])),
)

/** Events, in the one order in which they were committed; numbers are never used again. */
export const eventsOf = (db: Connection) => ({
  /** Adds an event; the old are forgotten as new ones come. */
  append: (event: NewEvent): void => {
    const seq = db.first(append, event)?.seq ?? 0
    if (seq % forgetEvery === 0) db.run(forget, { before: event.created - keptFor, upTo: seq - keptMost })
  },
  /** Those that came after one. */
  after: (seq: number, limit: number) => db.rows(after, { seq, limit }),
  /** The latest one's number; 0 where there is none. */
  last: () => db.first(last, {})?.seq ?? 0,
})
