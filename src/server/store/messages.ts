import { type Connection, query } from './query.ts'

/** A message that is about to be kept; `json` is without its id. */
export interface NewMessage {
  readonly user_id: string
  readonly thread: string
  readonly json: string
}

const add = query<NewMessage>()((db, value) =>
  db.insertInto('messages').values({ user_id: value.user_id, thread: value.thread, json: value.json }).returning('seq'),
)

/** Messages of users' threads. */
export const messagesOf = (db: Connection) => ({
  /** Keeps a message; answers its id. */
  add: (message: NewMessage): number => db.first(add, message)?.seq ?? 0,
})
