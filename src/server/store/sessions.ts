import { type Connection, query } from './query.ts'

/** A session and the right its refresh token gives; `expires_at` in seconds since 1970. */
export interface SessionRow {
  readonly id: string
  readonly user_id: string
  readonly refresh_hash: string
  readonly expires_at: number
}

const insert = query<SessionRow>()((db, value) =>
  db.insertInto('sessions').values({
    id: value.id,
    user_id: value.user_id,
    refresh_hash: value.refresh_hash,
    expires_at: value.expires_at,
  }),
)

const user = query<{ session: string; user: string; now: number }>()((db, value) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('sessions.id', '=', value.session)
    .where('sessions.user_id', '=', value.user)
    .where('sessions.expires_at', '>', value.now),
)

const refreshHash = query<{ session: string }>()((db, value) =>
  db.selectFrom('sessions').select('refresh_hash').where('id', '=', value.session),
)

const end = query<{ session: string }>()((db, value) => db.deleteFrom('sessions').where('id', '=', value.session))

const forgetExpired = query<{ user: string; now: number }>()((db, value) =>
  db.deleteFrom('sessions').where('user_id', '=', value.user).where('expires_at', '<=', value.now),
)

/** Sessions; one that was ended is gone, and its tokens with it. */
export const sessionsOf = (db: Connection) => ({
  insert: (session: SessionRow) => db.run(insert, session),
  /** The user of a live session. */
  user: (values: { session: string; user: string; now: number }) => db.first(user, values),
  refreshHash: (session: string) => db.first(refreshHash, { session })?.refresh_hash,
  end: (session: string) => db.run(end, { session }),
  forgetExpired: (user: string, now: number) => db.run(forgetExpired, { user, now }),
})
