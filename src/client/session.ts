import { SessionError } from './errors.ts'
import { expiryOf } from './jwt.ts'

/** Where access tokens come from. */
export interface Session {
  /** A token that has not expired. */
  accessToken(): Promise<string>
  /** A new token after the service refused the last one; undefined when there is none to be had. */
  renew(): Promise<string | undefined>
}

/** Seconds before its expiry at which a token is no longer used. */
const margin = 5

/** A session with one given access token. */
export const fixedSession = (token: string): Session => ({
  accessToken: async () => token,
  renew: async () => undefined,
})

/** A session that can make tokens itself. */
export const mintingSession = (mint: () => Promise<string>): Session => ({ accessToken: mint, renew: mint })

/** No session: every call that needs one fails with the reason. */
export const noSession = (reason: string, remedy: string): Session => {
  const refuse = async () => {
    throw new SessionError(reason, remedy)
  }
  return { accessToken: refuse, renew: refuse }
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
