import { limits } from '../../contract/limits.ts'
import { builder, type Connection, query, statement } from './query.ts'
import { integer, type NewRowOf, nullable, type RowOf, real, table, text } from './table.ts'

/** What is sent to connected clients; stored, so that other processes on the same database send it too. */
export const events = table('events', {
  key: ['seq'],
  columns: {
    seq: integer,
    /**
     * `inventory`, `state_update`, `my_events` or `map`; `arrivals` of many vAtoms at once, each of which is sent as
     * `inventory`; `replaced` if all contents were replaced by others.
     */
    msg_type: text,
    /** Who receives it; for a map event, who does not: the owner of the vAtom. Empty: everybody. */
    user_id: text,
    /** Where on the map, in degrees; null for an event of one user. */
    lat: nullable(real),
    lon: nullable(real),
    /** JSON. */
    payload: text,
    /** Milliseconds since 1970. */
    created: integer,
  },
})
export type EventRow = RowOf<typeof events>
/** An event to be stored. */
export type NewEvent = NewRowOf<typeof events>

/** Old events are removed each time so many have been added. */
const removeEvery = 64

/** An event as far as it is sent. */
export type SentEvent = Omit<EventRow, 'created'>
/** For whom an event is; of one of the map, `map` is the payload. Those of users can be long: each is read when it is sent. */
export type AnnouncedEvent = Omit<SentEvent, 'payload'> & { readonly map: string | null }

const after = query<{ seq: number; limit: number }>()((value) =>
  builder.selectFrom('events').selectAll().where('seq', '>', value.seq).orderBy('seq').limit(value.limit),
)

const announced = query<{ seq: number; limit: number }>()((value) =>
  builder
    .selectFrom('events')
    .select(['seq', 'msg_type', 'user_id', 'lat', 'lon'])
    .select(({ eb, ref }) => eb.case().when('msg_type', '=', 'map').then(ref('payload')).else(null).end().as('map'))
    .where('seq', '>', value.seq)
    .orderBy('seq')
    .limit(value.limit),
)

/** Also where the event is removed: a copy of a database has none. */
const latest = statement<Record<never, never>, { readonly seq: number }>(() => ({
  sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'",
  names: [],
}))

/** Many that are long take too long at once. */
const removed = 512

const removeOld = query<{ before: number; upTo: number }>()((value) =>
  builder.deleteFrom('events').where('seq', 'in', (old) =>
    old
      .selectFrom('events')
      .select('seq')
      .where(({ eb, or }) => or([eb('created', '<', value.before), eb('seq', '<=', value.upTo)]))
      .limit(removed),
  ),
)

/** The queries of events, for the tests of their plans. */
export const eventQueries = { after, announced, find: events.find, latest, removeOld }

/** Events, in the order in which they were committed; no number is used twice. */
export function eventsOf(db: Connection) {
  const last = () => db.first(latest, {})?.seq ?? 0
  let settled = last()
  let isAdding = false
  return {
    /** Adds an event, and now and then removes old ones, but none before it could be read. */
    append: (event: NewEvent): void => {
      const seq = db.append(events.insert, event)
      isAdding = true
      if (seq % removeEvery !== 0) return
      db.run(removeOld, { before: event.created - limits.eventAge, upTo: Math.min(seq - limits.events, settled) })
    },
    /** To be called when added events are committed. */
    committed: (): void => {
      if (isAdding) settled = last()
      isAdding = false
    },
    /** Those after a number. */
    after: (seq: number, limit: number) => db.rows(after, { seq, limit }),
    /** For whom those after a number are. Each has the number after that of the one before, unless events were removed. */
    announced: (seq: number, limit: number): AnnouncedEvent[] => db.rows(announced, { seq, limit }),
    /** That of a number, unless it was removed. */
    at: (seq: number) => db.first(events.find, { seq }),
    /** The number of the latest one; 0 if there was none. */
    last,
  }
}
