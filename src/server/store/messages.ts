import { sql } from 'kysely'
import { type Connection, query } from './query.ts'

/** A message that is about to be kept; `json` is without its id. */
export interface NewMessage {
  readonly user_id: string
  readonly thread: string
  /** Milliseconds since 1970. */
  readonly created: number
  readonly json: string
}

/** A kept message; `seq` is its id. */
export interface MessageRow {
  readonly seq: number
  readonly thread: string
  readonly created: number
  readonly json: string
}

/** A page of what is older than one message; `before` is its id. */
interface Page {
  readonly before: number
  readonly limit: number
}

const add = query<NewMessage>()((db, value) =>
  db
    .insertInto('messages')
    .values({ user_id: value.user_id, thread: value.thread, created: value.created, json: value.json })
    .returning('seq'),
)

const ofThread = query<Page & { user: string; thread: string }>()((db, value) =>
  db
    .selectFrom('messages')
    .select(['seq', 'thread', 'created', 'json'])
    .where('user_id', '=', value.user)
    .where('thread', '=', value.thread)
    .where('seq', '<', value.before)
    .orderBy('seq', 'desc')
    .limit(value.limit),
)

/** The latest message of each thread, found in the index alone. */
const latest = query<Page & { user: string }>()((db, value) => ({
  compile: () =>
    sql<MessageRow>`SELECT seq, thread, created, json FROM messages WHERE seq IN (
      SELECT max(seq) AS latest FROM messages WHERE user_id = ${value.user}
      GROUP BY thread HAVING latest < ${value.before} ORDER BY latest DESC LIMIT ${value.limit})
      ORDER BY seq DESC`.compile(db),
}))

/** Messages of users' threads. */
export const messagesOf = (db: Connection) => ({
  /** Keeps a message; answers its id. */
  add: (message: NewMessage): number => db.first(add, message)?.seq ?? 0,
  /** A user's threads by their latest messages, newest first. */
  threads: (user: string, page: Page): MessageRow[] => db.rows(latest, { user, ...page }),
  /** Messages of a user's thread, newest first. */
  ofThread: (user: string, thread: string, page: Page): MessageRow[] => db.rows(ofThread, { user, thread, ...page }),
})
