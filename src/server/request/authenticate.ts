import type { IncomingHttpHeaders } from 'node:http'
import type { Auth } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { sessionUser } from '../auth/sessions.ts'
import { bearer, refreshHash, type Tokens } from '../auth/tokens.ts'
import type { Clock } from '../domain/clock.ts'
import { sameText } from '../domain/users/codes.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'

/** Who makes a request, as far as its operation asks. */
export interface Identity {
  readonly user?: UserRow
  readonly session?: string
  readonly publisher?: string
  /** How Refresh Access Token answers: the header that carried the refresh token decides. */
  readonly form?: 'string' | 'object'
}

/** Raised for an access token that was valid once. */
export class TokenExpired extends ApiError {
  constructor() {
    super('unauthorized', 'Not Authorized: the access token has expired')
  }
}

/** By what requests are authenticated. */
interface Authority {
  readonly appId: string
  readonly tokens: Tokens
  readonly store: Store
  readonly clock: Clock
  readonly localSession: { readonly id: string }
}

/** Checks App-Id and authorization of a request, or throws the declared 403. Spec 5. */
export function identify(auth: Auth, headers: IncomingHttpHeaders, authority: Authority): Identity {
  if (headers['app-id'] !== authority.appId) throw new ApiError('appId')
  if (auth === 'none') return {}
  if (auth === 'refresh') return byRefreshToken(headers, authority)
  if (auth === 'optional' && bearer(headers.authorization) === '') return {}
  const identity = byAccessToken(headers, authority)
  if (auth !== 'publisher') return identity
  const { user } = identity
  if (user.is_admin !== 1 || user.pub_fqdn === '') throw new ApiError('notPublisher')
  return { ...identity, publisher: user.pub_fqdn }
}

function byAccessToken(headers: IncomingHttpHeaders, authority: Authority) {
  const claims = authority.tokens.read('access', bearer(headers.authorization))
  if (!claims) throw new ApiError('unauthorized')
  if (claims.expired) throw new TokenExpired()
  const user = sessionUser(claims, authority)
  if (!user) throw new ApiError('unauthorized')
  return { user, session: claims.session }
}

/** `Authentication` (Spec 4.3) goes before `Authorization`, where clients put the refresh token. */
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
