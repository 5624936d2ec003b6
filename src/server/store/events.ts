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

const latest = query()((db) => db.selectFrom('events').select(({ fn }) => fn.max<number | null>('seq').as('seq')))

const forget = query<{ before: number; upTo: number }>()((db, value) =>
  db.deleteFrom('events').where(({ eb, or }) => or([eb('created', '<', value.before), eb('seq', '<=', value.upTo)])),
)

/** What is asked of events, for its plans to be looked at. */
export const eventQueries = { after, latest, forget }

/** Events, in the one order in which they were committed; numbers are never used again. */
export function eventsOf(db: Connection) {
  const last = () => db.first(latest, {})?.seq ?? 0
  let settled = last()
  let isAdding = false
  return {
    /** Adds an event; the old are forgotten as new ones come, but none before somebody could read it. */
    append: (event: NewEvent): void => {
      const seq = db.first(append, event)?.seq ?? 0
      isAdding = true
      if (seq % forgetEvery !== 0) return
      db.run(forget, { before: event.created - keptFor, upTo: Math.min(seq - keptMost, settled) })
    },
    /** To be called when what was added is committed. */
    committed: (): void => {
      if (isAdding) settled = last()
      isAdding = false
    },
    /** Those that came after one. */
    after: (seq: number, limit: number) => db.rows(after, { seq, limit }),
    /** The latest one's number; 0 where there is none. */
    last,
  }
}
