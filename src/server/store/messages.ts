import { sql } from 'kysely'
import { builder, type Connection, query } from './query.ts'
import { integer, type NewRowOf, type RowOf, table, text } from './table.ts'

/** What happened to a user's vAtoms, and what others wrote to the user. */
export const messages = table('messages', {
  key: ['seq'],
  columns: {
    /** Grows with every message: its id, and the order of all of them. */
    seq: integer,
    /** Whose activity it is. */
    user_id: text,
    thread: text,
    /** Milliseconds since 1970. */
    created: integer,
    /** The message without its id, as it is answered. */
    json: text,
  },
})
export type NewMessage = NewRowOf<typeof messages>
export type MessageRow = Omit<RowOf<typeof messages>, 'user_id'>

/** The threads of users; `latest` is the `seq` of a thread's latest message. */
export const threads = table('threads', {
  key: ['user_id', 'thread'],
  columns: { user_id: text, thread: text, latest: integer },
})

/** A page of messages older than the one with the id `before`. */
interface Page {
  readonly before: number
  readonly limit: number
}

const ofThread = query<Page & { user: string; thread: string }>()((value) =>
  builder
    .selectFrom('messages')
    .select('seq')
    .where('user_id', '=', value.user)
    .where('thread', '=', value.thread)
    .where('seq', '<', value.before)
    .orderBy('seq', 'desc')
    .limit(value.limit),
)

const latest = query<Page & { user: string }>()((value) =>
  builder
    .selectFrom('threads')
    .select('latest as seq')
    .where('user_id', '=', value.user)
    .where('latest', '<', value.before)
    .orderBy('latest', 'desc')
    .limit(value.limit),
)

const bySeq = query<{ seq: number }>()((value) =>
  builder.selectFrom('messages').select(['seq', 'thread', 'created', 'json']).where('seq', '=', value.seq),
)

const someOf = query<{ user: string; limit: number }>()((value) =>
  builder.selectFrom('messages').select('seq').where('user_id', '=', value.user).limit(value.limit),
)

const removeEach = query<{ ids: string }>()(
  (value) => sql`DELETE FROM messages WHERE seq IN (SELECT value FROM json_each(${value.ids}))`,
)

const removeThreads = query<{ user: string; limit: number }>()(
  (value) =>
    sql`DELETE FROM threads WHERE user_id = ${value.user}
      AND thread IN (SELECT thread FROM threads WHERE user_id = ${value.user} LIMIT ${value.limit})`,
)

/** The queries of messages, for the tests of their plans. */
export const messageQueries = { ofThread, latest, bySeq, follow: threads.replace }

/** Messages of users' threads. */
export const messagesOf = (db: Connection) => ({
  /** Stores a message and returns its id. */
  add: (message: NewMessage): number => {
    const seq = db.append(messages.insert, message)
    db.run(threads.replace, { user_id: message.user_id, thread: message.thread, latest: seq })
    return seq
  },
  /** Ids of so many messages of a user, any of them. */
  someOf: (user: string, limit: number): number[] => db.rows(someOf, { user, limit }).map(({ seq }) => seq),
  /** Removes messages, but not their threads. */
  removeEach: (ids: readonly number[]) => db.run(removeEach, { ids: JSON.stringify(ids) }),
  /** Removes so many threads of a user, any of them, but not their messages; answers how many. */
  removeThreads: (user: string, limit: number): number => db.run(removeThreads, { user, limit }),
  /** Ids of the latest messages of a user's threads, newest first. */
  threads: (user: string, page: Page): number[] => db.rows(latest, { user, ...page }).map(({ seq }) => seq),
  /** Ids of the messages of a user's thread, newest first. */
  ofThread: (user: string, thread: string, page: Page): number[] =>
    db.rows(ofThread, { user, thread, ...page }).map(({ seq }) => seq),
  /** The messages with some ids, each of which is read when it is wanted; those that are there no more are left out. */
  *found(ids: readonly number[]): Generator<MessageRow, void> {
    for (const seq of ids) {
      const row = db.first(bySeq, { seq })
      if (row) yield row
    }
  },
})
