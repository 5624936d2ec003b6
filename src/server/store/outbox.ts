import type { Selectable } from 'kysely'
import { type Connection, query } from './query.ts'
import type { Tables } from './tables.ts'

export type OutboxRow = Selectable<Tables['outbox']>
/** A message that is about to be sent. */
export type NewOutboxRow = Omit<OutboxRow, 'seq'>

const add = query<NewOutboxRow>()((db, value) =>
  db
    .insertInto('outbox')
    .values({
      recipient: value.recipient,
      token_type: value.token_type,
      kind: value.kind,
      code: value.code,
      when_sent: value.when_sent,
    })
    .returning('seq'),
)

const forget = query<{ upTo: number }>()((db, value) => db.deleteFrom('outbox').where('seq', '<=', value.upTo))

const newest = query<{ limit: number }>()((db, value) =>
  db.selectFrom('outbox').selectAll().orderBy('seq', 'desc').limit(value.limit),
)

const after = query<{ seq: number }>()((db, value) =>
  db.selectFrom('outbox').selectAll().where('seq', '>', value.seq).orderBy('seq'),
)

const last = query()((db) => db.selectFrom('outbox').select(({ fn }) => fn.max<number | null>('seq').as('seq')))

/** Messages that are kept; older ones are forgotten. */
const kept = 1000

/** Messages to users, in the order they were sent. */
export const outboxOf = (db: Connection) => ({
  add: (message: NewOutboxRow): void => {
    const seq = db.first(add, message)?.seq ?? 0
    db.run(forget, { upTo: seq - kept })
  },
  /** The latest ones, newest last. */
  newest: (limit: number) => db.rows(newest, { limit }).reverse(),
  /** Those that were sent after one. */
  after: (seq: number) => db.rows(after, { seq }),
  /** The latest one's number; 0 where there is none. */
  last: () => db.first(last, {})?.seq ?? 0,
})
