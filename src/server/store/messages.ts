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

const follow = query<{ user: string; thread: string; latest: number }>()((db, value) =>
  db
    .insertInto('threads')
    .values({ user_id: value.user, thread: value.thread, latest: value.latest })
    .onConflict((known) => known.doUpdateSet({ latest: value.latest })),
)

const latest = query<Page & { user: string }>()((db, value) =>
  db
    .selectFrom('threads')
    .innerJoin('messages', 'messages.seq', 'threads.latest')
    .select(['messages.seq', 'messages.thread', 'messages.created', 'messages.json'])
    .where('threads.user_id', '=', value.user)
    .where('threads.latest', '<', value.before)
    .orderBy('threads.latest', 'desc')
    .limit(value.limit),
)

/** What is asked of messages, for its plans to be looked at. */
export const messageQueries = { ofThread, latest, follow }

/** Messages of users' threads. */
export const messagesOf = (db: Connection) => ({
  /** Keeps a message; answers its id. */
  add: (message: NewMessage): number => {
    const seq = db.first(add, message)?.seq ?? 0
    db.run(follow, { user: message.user_id, thread: message.thread, latest: seq })
    return seq
  },
  /** A user's threads by their latest messages, newest first. */
  threads: (user: string, page: Page): MessageRow[] => db.rows(latest, { user, ...page }),
  /** Messages of a user's thread, newest first. */
  ofThread: (user: string, thread: string, page: Page): MessageRow[] => db.rows(ofThread, { user, thread, ...page }),
})
