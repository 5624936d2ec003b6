import type { IncomingHttpHeaders } from 'node:http'
import type { Auth } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { isMarked } from '../auth/configured-sessions.ts'
import { sessionUser } from '../auth/sessions.ts'
import { bearer, refreshHash } from '../auth/tokens.ts'
import { sameText } from '../domain/users/codes.ts'
import type { Environment } from '../environment.ts'
import type { UserRow } from '../store/users.ts'

/** Who makes a request, as far as its operation needs to know. */
export interface Identity {
  readonly user?: UserRow
  readonly session?: string
  readonly publisher?: string
  /** How Refresh Access Token answers: the header that carried the refresh token decides. */
  readonly form?: 'string' | 'object'
}

/** Thrown for an access token that has expired. */
export class TokenExpired extends ApiError {
  constructor() {
    super('unauthorized', 'Not Authorized: the access token has expired')
  }
}

/** What authenticates requests. */
type Authority = Pick<Environment, 'appId' | 'tokens' | 'store' | 'clock' | 'processSessions' | 'configuredSessions'>

/**
 * What has to be awaited before `identify`: that the key is made by which sessions with the configured password are known.
 * Undefined once it is, and for a request whose tokens name no such session.
 */
export function missingKey(
  { authorization, authentication }: IncomingHttpHeaders,
  { tokens, configuredSessions }: Pick<Authority, 'tokens' | 'configuredSessions'>,
): Promise<void> | undefined {
  if (configuredSessions.hasKey) return undefined
  const needsKey = [authorization, authentication].some(
    (header) => header !== undefined && isMarked(tokens.claimsOf(bearer(String(header)))?.session ?? ''),
  )
  return needsKey ? configuredSessions.makeKey() : undefined
}

/** Checks App-Id and authorization of a request. Throws the declared 403. Spec 5. */
export function identify(auth: Auth, headers: IncomingHttpHeaders, authority: Authority): Identity {
  if (headers['app-id'] !== authority.appId) throw new ApiError('appId')
  if (auth === 'none') return {}
  if (auth === 'refresh') return byRefreshToken(headers, authority)
  if (auth === 'optional' && bearer(headers.authorization) === '') return {}
  const identity = byAccessToken(headers, authority)
  if (auth !== 'publisher') return identity
  const { user } = identity
  if (!isAdministrator(user)) throw new ApiError('notPublisher')
  return { ...identity, publisher: user.pub_fqdn }
}

/** Whether a user is an administrator of a publisher. */
export const isAdministrator = ({ is_admin, pub_fqdn }: UserRow): boolean => is_admin === 1 && pub_fqdn !== ''

function byAccessToken(headers: IncomingHttpHeaders, authority: Authority) {
  const claims = authority.tokens.read('access', bearer(headers.authorization))
  if (!claims) throw new ApiError('unauthorized')
  if (claims.expired) throw new TokenExpired()
  const user = sessionUser(claims, authority)
  if (!user) throw new ApiError('unauthorized')
  return { user, session: claims.session }
}

/** The refresh token is in `Authentication` (Spec 4.3), or in `Authorization` where that is missing. */
function byRefreshToken(headers: IncomingHttpHeaders, authority: Authority): Identity {
  const { authentication } = headers
  const form = authentication === undefined ? 'object' : 'string'
  const token = bearer(authentication === undefined ? headers.authorization : String(authentication))
  const claims = authority.tokens.read('refresh', token)
  const known = claims && authority.store.sessions.refreshHash(claims.session)
  if (!claims || claims.expired || !known || !sameText(known, refreshHash(token))) throw new ApiError('refreshToken')
  const user = sessionUser(claims, authority)
  if (!user) throw new ApiError('refreshToken')
  return { user, session: claims.session, form }
}
