import { createHash } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { type Clock, seconds } from '../domain/clock.ts'
import { type Random, unpredictable } from '../store/random.ts'
import type { UserRow } from '../store/users.ts'

/** What the tokens of a session say about its user. */
type Subject = Pick<UserRow, 'id' | 'pub_fqdn' | 'is_admin' | 'activated'>

type TokenUse = 'access' | 'refresh'
/** The claims of a genuine token that the service reads. */
export interface Claims {
  /** A use of tokens. */
  readonly use: string
  readonly user_id: string
  readonly session: string
  readonly expired: boolean
}

/** Signs and checks JSON Web Tokens (RFC 7519) with the service's own secret. Spec 5. */
export interface Tokens {
  /** Where the ids of tokens come from. */
  readonly random: Random
  /** A JWT for a session, valid for a lifetime in seconds: of an access token 5 minutes, if none is given. Spec 8. */
  sign(use: TokenUse, subject: Subject, session: string, lifetime?: number): string
  /** The claims of a token that this service signed for that use, even an expired one; else undefined. */
  read(use: TokenUse, token: string): Claims | undefined
  /** The same, of whatever use. */
  claimsOf(token: string): Claims | undefined
}

const lifetimes = { access: limits.accessTokenSeconds, refresh: limits.refreshTokenSeconds } as const

/** How many tokens are cached at most, and of how many characters. */
const most = { tokens: 1000, length: 1000 }

/** Remembers the claims of genuine tokens. */
function cached(verify: (token: string) => unknown): (token: string) => unknown {
  const known = new Map<string, unknown>()
  return (token) => {
    const found = known.get(token)
    if (found !== undefined) return found
    const claims = verify(token)
    if (known.size >= most.tokens) known.clear()
    if (token.length <= most.length) known.set(token, claims)
    return claims
  }
}

/** Tokens of one application, signed with a secret. */
export function tokensOf(secret: string, appId: string, clock: Clock, random: Random = unpredictable): Tokens {
  const signJwt = createSigner({ key: secret, algorithm: 'HS256', noTimestamp: true })
  const verify = cached(createVerifier({ key: secret, algorithms: ['HS256'], ignoreExpiration: true }))
  const claimsOf = (token: string): Claims | undefined => {
    const claims = verified(verify, token)
    const [use, user, session, exp] = [at(claims, 'sub'), at(claims, 'user_id'), at(claims, 'sid'), at(claims, 'exp')]
    if (at(claims, 'iss') !== appId || typeof use !== 'string') return undefined
    if (typeof user !== 'string' || typeof session !== 'string' || typeof exp !== 'number') return undefined
    return { use, user_id: user, session, expired: exp <= seconds(clock()) }
  }
  return {
    random,
    sign: (use, subject, session, lifetime = lifetimes[use]) =>
      signJwt({
        user_id: subject.id,
        pub_fqdn: subject.pub_fqdn,
        is_admin: subject.is_admin === 1,
        activated: subject.activated === 1,
        exp: seconds(clock()) + lifetime,
        jti: random.uuid(),
        iss: appId,
        sub: use,
        sid: session,
      }),
    read: (use, token) => {
      const claims = claimsOf(token)
      return claims?.use === use ? claims : undefined
    },
    claimsOf,
  }
}

function verified(verify: (token: string) => unknown, token: string): unknown {
  try {
    return verify(token)
  } catch {
    return undefined
  }
}

/** What is stored of a refresh token. */
export const refreshHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The token of a header value, with or without `Bearer `. */
export const bearer = (header: string | undefined): string => (header ?? '').replace(/^Bearer(\s+|$)/i, '').trim()
