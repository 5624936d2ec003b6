import { limits } from '../contract/limits.ts'
import { isPublisherName } from '../contract/schema/domain-name.ts'
import { at } from '../contract/schema/path.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { SessionError } from './errors.ts'

/** Where access tokens come from. */
export interface Session {
  /** A token that has not expired. */
  accessToken(): Promise<string>
  /** A new token after the service refused the last one; undefined where no new one can be made. */
  renew(): Promise<string | undefined>
  /** Whether nobody is signed in. */
  readonly isNone?: true
  /** Whether the service has accepted one of its tokens: set by who sends requests. */
  isAccepted?: true
}

/** Seconds before its expiry at which a token is no longer used. */
const margin = 5

/** A session with one given access token. */
export const fixedSession = (token: string): Session => ({
  accessToken: async () => token,
  renew: async () => undefined,
})

/** A session that can make tokens itself. */
export interface MintingSession extends Session {
  renew(): Promise<string>
}

/** A session whose tokens are used until the service refuses one, or half of its time is over. */
export function mintingSession(mint: () => Promise<string>): MintingSession {
  let minted: Promise<string> | undefined
  let since = 0
  const renew = () => {
    since = performance.now()
    const made = mint()
    minted = made
    // Who asks again may have an answer: the data of a test was restored, say.
    made.catch(() => {
      if (minted === made) minted = undefined
    })
    return made
  }
  const isOld = () => performance.now() - since > limits.accessTokenSeconds * 500
  return { accessToken: async () => (minted === undefined || isOld() ? renew() : minted), renew }
}

/** No session: every call that needs one fails with the reason. */
export const noSession = (reason: string, remedy: string): Session => {
  const refuse = async () => {
    throw new SessionError(reason, remedy)
  }
  return { accessToken: refuse, renew: refuse, isNone: true }
}

export interface RefreshOptions {
  /** An access token stored by an earlier run. */
  readonly stored?: string
  /** Calls Refresh Access Token. Spec 4.3. */
  readonly refresh: () => Promise<string>
  /** Stores a new access token for the next run. */
  readonly store: (accessToken: string) => Promise<void>
  readonly now: () => Date
}

/** A session that renews its access token ahead of its expiry, once for all calls that wait. */
export function refreshingSession({ stored, refresh, store, now }: RefreshOptions): Session {
  let current = stored
  let renewal: Promise<string> | undefined
  const renewOnce = () => {
    renewal ??= refresh()
      .then(async (token) => {
        current = token
        await store(token)
        return token
      })
      .finally(() => {
        renewal = undefined
      })
    return renewal
  }
  return {
    accessToken: async () => (current !== undefined && isFresh(current, now()) ? current : renewOnce()),
    renew: renewOnce,
  }
}

function isFresh(token: string, now: Date): boolean {
  const expiry = expiryOf(token)
  return expiry === undefined || now.getTime() / 1000 < expiry - margin
}

/** Seconds of the epoch at which a JWT expires; undefined for a text that is no JWT or carries no `exp`. */
export function expiryOf(token: string): number | undefined {
  const exp = at(claimsOf(token), 'exp')
  return typeof exp === 'number' ? exp : undefined
}

/** When a token ends; undefined where there is none, or it does not say so. */
export function endOf(token: string | undefined): Date | undefined {
  const expiry = token === undefined ? undefined : expiryOf(token)
  return expiry === undefined ? undefined : new Date(expiry * 1000)
}

/** The id of the user whom a JWT is for; undefined for a text that is no JWT or carries no `user_id`. */
export const userOf = (token: string): unknown => at(claimsOf(token), 'user_id')

/** Whether a JWT says that it is an access token, which renews no session. */
export const isAccessToken = (token: string): boolean => at(claimsOf(token), 'sub') === 'access'

/** Whether a JWT says that it is a refresh token, with which no other request is sent. */
export const isRefreshToken = (token: string): boolean => at(claimsOf(token), 'sub') === 'refresh'

/** The domain name of the publisher whom a JWT is for; undefined for a text that is no JWT or carries none in `pub_fqdn`. */
export function publisherOf(token: string): string | undefined {
  const publisher = at(claimsOf(token), 'pub_fqdn')
  return typeof publisher === 'string' && isPublisherName(publisher) ? publisher : undefined
}

const claimsOf = (token: string) => parseJson(decoded(token.split('.')[1] ?? ''))

/** Decodes base64url with what both Node and browsers have; what cannot be decoded is empty. */
function decoded(text: string): string {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return ''
  }
}
