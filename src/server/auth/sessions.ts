import { randomUUID } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import { seconds, timestamp } from '../clock.ts'
import type { Environment } from '../environment.ts'
import type { UserRow } from '../store/users.ts'
import { refreshHash } from './tokens.ts'

/** Tokens of a new session. */
export interface Started {
  readonly access_token: string
  readonly refresh_token: string
}

/** Begins a session; call it inside a write. What expired of the user's sessions is forgotten. */
export function startSession(
  { store, tokens, clock }: Pick<Environment, 'store' | 'tokens' | 'clock'>,
  user: UserRow,
): Started {
  const id = randomUUID()
  const now = clock()
  const refresh_token = tokens.sign('refresh', user, id)
  store.sessions.forgetExpired(user.id, seconds(now))
  store.sessions.insert({
    id,
    user_id: user.id,
    refresh_hash: refreshHash(refresh_token),
    expires_at: seconds(now) + limits.refreshTokenSeconds,
  })
  store.users.signedIn(user.id, timestamp(now))
  return { refresh_token, access_token: tokens.sign('access', user, id) }
}

/** A session of the seeded publisher, begun without their password by whoever holds the database. */
export const startLocalSession = (environment: Environment): Promise<Started> =>
  environment.store.write(() => startSession(environment, environment.seed.user()))
