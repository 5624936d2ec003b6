import type { IncomingHttpHeaders } from 'node:http'
import type { Auth, Endpoint } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { sameText } from '../auth/same-text.ts'
import { bearer, type Claims, refreshHash } from '../auth/tokens.ts'
import { seconds } from '../clock.ts'
import type { Environment } from '../environment.ts'
import type { UserRow } from '../store/users.ts'
import { Unauthorized } from './answers.ts'

/** Who makes a request, as far as its operation asks. */
export interface Identity {
  readonly user?: UserRow
  readonly session?: string
  readonly publisher?: string
  /** How Refresh Access Token answers: the header that carried the refresh token decides. */
  readonly form?: 'string' | 'object'
}

/** The caller of an operation that is served to them; throws the declared refusal. */
export function admitted(row: Endpoint, headers: IncomingHttpHeaders, environment: Environment): Identity {
  const identity = identify(row.auth, headers, environment)
  if (environment.strictSpec && row.assumed) throw new ApiError('assumedOff')
  return identity
}

/** Settles App-Id and authorization of a request, or throws the declared 403. Spec 5. */
export function identify(auth: Auth, headers: IncomingHttpHeaders, environment: Environment): Identity {
  if (headers['app-id'] !== environment.appId) throw new ApiError('appId')
  if (auth === 'none') return {}
  if (auth === 'refresh') return byRefreshToken(headers, environment)
  if (auth === 'optional' && bearer(headers.authorization) === '') return {}
  const identity = byAccessToken(headers, environment)
  if (auth !== 'publisher') return identity
  const { user } = identity
  if (user.is_admin !== 1 || user.pub_fqdn === '') throw new ApiError('notPublisher')
  return { ...identity, publisher: user.pub_fqdn }
}

function byAccessToken(headers: IncomingHttpHeaders, environment: Environment) {
  const claims = environment.tokens.read('access', bearer(headers.authorization))
  if (!claims) throw new Unauthorized(false)
  if (claims.expired) throw new Unauthorized(true)
  const user = userOf(claims, environment)
  if (!user) throw new Unauthorized(false)
  return { user, session: claims.session }
}

/** The user of a live session; the process's own session is known without being stored. */
export function userOf(
  claims: Pick<Claims, 'user_id' | 'session'>,
  { store, clock, localSession }: Pick<Environment, 'store' | 'clock' | 'localSession'>,
): UserRow | undefined {
  if (claims.session === localSession.id) return store.users.byId(claims.user_id)
  return store.sessions.user({ session: claims.session, user: claims.user_id, now: seconds(clock()) })
}

/** `Authentication` (Spec 4.3) goes before `Authorization`, where clients put the refresh token. */
function byRefreshToken(headers: IncomingHttpHeaders, environment: Environment): Identity {
  const { authentication } = headers
  const form = authentication === undefined ? 'object' : 'string'
  const token = bearer(authentication === undefined ? headers.authorization : String(authentication))
  const claims = environment.tokens.read('refresh', token)
  const known = claims && environment.store.sessions.refreshHash(claims.session)
  if (!claims || claims.expired || !known || !sameText(known, refreshHash(token))) throw new ApiError('refreshToken')
  const user = userOf(claims, environment)
  if (!user) throw new ApiError('refreshToken')
  return { user, session: claims.session, form }
}
