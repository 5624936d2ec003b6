import { randomUUID } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import { type Clock, seconds, timestamp } from '../domain/clock.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import type { ConfiguredSessions } from './configured-sessions.ts'
import type { ProcessSessions } from './process-sessions.ts'
import { type Claims, refreshHash, type Tokens } from './tokens.ts'

/** A session's tokens, as Login answers them. */
export interface Started {
  readonly access_token: string
  readonly refresh_token: string
}

interface Starting {
  readonly store: Store
  readonly tokens: Tokens
  readonly clock: Clock
}

/** What a session has: where nothing is given, a new id, and the time for which a refresh token is valid, in seconds. */
interface Beginning {
  readonly id?: string
  readonly lifetime?: number
}

/**
 * Begins a session; call it inside a write. Those of the user's sessions that ended
 * a while ago are removed, and those that end first if there are `limits.sessions`.
 */
export function startSession(
  { store, tokens, clock }: Starting,
  user: UserRow,
  { id = randomUUID(), lifetime = limits.refreshTokenSeconds }: Beginning = {},
): Started {
  const now = clock()
  const refresh_token = tokens.sign('refresh', user, id, lifetime)
  store.sessions.prune(user.id, seconds(now), limits.sessions - 1)
  store.sessions.insert({
    id,
    user_id: user.id,
    refresh_hash: refreshHash(refresh_token),
    expires_at: seconds(now) + lifetime,
  })
  store.users.signedIn(user.id, timestamp(now))
  return { refresh_token, access_token: tokens.sign('access', user, id) }
}

/** The stored sessions, and those of the process. */
export interface Sessions {
  readonly store: Store
  readonly clock: Clock
  readonly processSessions: Pick<ProcessSessions, 'byId'>
  readonly configuredSessions: ConfiguredSessions
}

/** Whether a session that is not over was taken away since, as by a new password: a user who signs out only ends it. */
export function revocationOf(session: string, { store, processSessions }: Sessions): () => boolean {
  const ofProcess = processSessions.byId(session)
  return ofProcess ? ofProcess.isRevoked : () => !store.sessions.isStored(session)
}

/** The user of a session; undefined if it has ended, or began with a configured password that is no longer the user's. */
export function sessionUser(
  { user_id, session }: Pick<Claims, 'user_id' | 'session'>,
  { store, clock, processSessions, configuredSessions }: Sessions,
): UserRow | undefined {
  const ofProcess = processSessions.byId(session)
  if (ofProcess) return ofProcess.isValid() ? store.users.byId(user_id) : undefined
  const user = store.sessions.user({ session, user: user_id, now: seconds(clock()) })
  return user?.password === null && !configuredSessions.accepts(session) ? undefined : user
}
