import { builder, type Connection, query } from './query.ts'
import { integer, type RowOf, table, text } from './table.ts'

/** `refresh_hash` is the SHA-256 of the refresh token, hexadecimal; `expires_at` in seconds since 1970. */
export const sessions = table('sessions', {
  key: ['id'],
  columns: { id: text, user_id: text, refresh_hash: text, expires_at: integer },
})
export type SessionRow = RowOf<typeof sessions>

const user = query<{ session: string; user: string; now: number }>()((value) =>
  builder
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('sessions.id', '=', value.session)
    .where('sessions.user_id', '=', value.user)
    .where('sessions.expires_at', '>', value.now),
)

const removeExpired = query<{ user: string; now: number }>()((value) =>
  builder.deleteFrom('sessions').where('user_id', '=', value.user).where('expires_at', '<=', value.now),
)

const removeOthers = query<{ user: string; kept: string }>()((value) =>
  builder.deleteFrom('sessions').where('user_id', '=', value.user).where('id', '<>', value.kept),
)

/** Sessions; the tokens of one that has ended are no longer valid. */
export const sessionsOf = (db: Connection) => ({
  insert: (session: SessionRow) => db.run(sessions.insert, session),
  /** The user of a live session. */
  user: (values: { session: string; user: string; now: number }) => db.first(user, values),
  refreshHash: (session: string) => db.first(sessions.find, { id: session })?.refresh_hash,
  end: (session: string) => db.run(sessions.remove, { id: session }),
  /** Ends all sessions of a user but one, or all if none is given. */
  endOthers: (user: string, kept = '') => db.run(removeOthers, { user, kept }),
  removeExpired: (user: string, now: number) => db.run(removeExpired, { user, now }),
})
