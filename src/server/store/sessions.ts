import type { ReadCaches } from './database/read-caches.ts'
import { builder, type Connection, query } from './query.ts'
import { integer, type RowOf, table, text } from './table.ts'
import type { UserRow } from './users.ts'

/**
 * `refresh_hash` is the SHA-256 of the refresh token, hexadecimal, and empty once the session was ended; `expires_at` in
 * seconds since 1970.
 */
export const sessions = table('sessions', {
  key: ['id'],
  columns: { id: text, user_id: text, refresh_hash: text, expires_at: integer },
})
export type SessionRow = RowOf<typeof sessions>

const user = query<{ session: string }>()((value) =>
  builder
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select('sessions.expires_at')
    .where('sessions.id', '=', value.session)
    // When it was ended says nothing: the clock may have been set back since.
    .where('sessions.refresh_hash', '<>', ''),
)

const end = query<{ session: string; now: number }>()((value) =>
  builder.updateTable('sessions').set({ expires_at: value.now, refresh_hash: '' }).where('id', '=', value.session),
)

const removeExpired = query<{ user: string; before: number }>()((value) =>
  builder.deleteFrom('sessions').where('user_id', '=', value.user).where('expires_at', '<=', value.before),
)

/** Those that end first beyond so many, up to a thousand at a time: a database of before the limit may have very many. */
const removeFirst = query<{ user: string; kept: number }>()((value) => {
  const first = builder
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', value.user)
    .orderBy('expires_at', 'desc')
    .limit(1000)
    .offset(value.kept)
  return builder.deleteFrom('sessions').where('id', 'in', first)
})

const removeOthers = query<{ user: string; kept: string }>()((value) =>
  builder.deleteFrom('sessions').where('user_id', '=', value.user).where('id', '<>', value.kept),
)

/** Seconds for which an ended session is stored: actions that it began may wait as long. */
const storedFor = 3600

/** How many sessions are cached at most, with their users. */
const cached = 1000

/** Sessions; the tokens of one that has ended are no longer valid. */
export function sessionsOf(db: Connection, caches: ReadCaches) {
  const known = caches.of<UserRow & { readonly expires_at: number }>({ tables: ['sessions', 'users'], most: cached })
  return {
    insert: (session: SessionRow) => db.run(sessions.insert, session),
    /** The user of a live session. */
    user: (values: { session: string; user: string; now: number }): UserRow | undefined => {
      const { session, now } = values
      const found = known(session, () => db.first(user, { session }))
      return found?.id === values.user && found.expires_at > now ? found : undefined
    },
    refreshHash: (session: string) => db.first(sessions.find, { id: session })?.refresh_hash,
    /** Ends a session of one's own accord: what it began before goes on. */
    end: (session: string, now: number) => db.run(end, { session, now }),
    /** Whether a session was not taken away; it may have ended. */
    isStored: (session: string) => db.first(sessions.find, { id: session }) !== undefined,
    /** Ends all sessions of a user but one, or all if none is given. */
    endOthers: (user: string, kept = '') => db.run(removeOthers, { user, kept }),
    /** Removes those that ended a while ago, and those that end first if there are more than so many. */
    prune: (user: string, now: number, kept: number) => {
      db.run(removeExpired, { user, before: now - storedFor })
      db.run(removeFirst, { user, kept })
    },
  }
}
