import { checkMembers } from '../contract/schema/members.ts'
import { describe } from '../contract/schema/wording.ts'
import { type Client, type ClientOptions, createClient, refreshAccessToken } from './client.ts'
import { type FetchOptions, fetchTransport } from './fetch-transport.ts'
import { fixedSession, noSession, refreshingSession, type Session } from './session.ts'
import type { Transport } from './transport.ts'

export { ServiceError, SessionError, UnexpectedAnswerError, UnreachableError } from './errors.ts'

/** Which service is called, and as whom. */
export interface ConnectOptions extends FetchOptions, Pick<ClientOptions, 'onWarnings'> {
  /** The application id; `local`. */
  readonly appId?: string
  /** Signs requests in until it expires, after 5 minutes. */
  readonly accessToken?: string
  /** Renews the access token whenever it expires. */
  readonly refreshToken?: string
}

const optionNames = Object.keys({
  baseUrl: true,
  appId: true,
  accessToken: true,
  refreshToken: true,
  timeout: true,
  fetch: true,
  onWarnings: true,
} satisfies Record<keyof ConnectOptions, true>)

/** A client of a service: a method for each operation. */
export function connect(given: ConnectOptions): Client {
  checkMembers('connect', given, optionNames)
  refuseEmpty(given)
  refuseTimeout(given)
  const { appId = 'local', onWarnings, ...options } = given
  const send = fetchTransport(options)
  return createClient({ appId, send, session: sessionOf(options, send, appId), ...(onWarnings && { onWarnings }) })
}

/** An empty text is that of a variable which is not set: the client would call another service, or as nobody. */
function refuseEmpty(given: ConnectOptions): void {
  const texts = ['baseUrl', 'appId', 'accessToken', 'refreshToken'] as const
  const empty = texts.find((name) => typeof given[name] === 'string' && given[name].trim() === '')
  if (empty !== undefined)
    throw new TypeError(`${empty} of connect is empty: give a value; if it is that of a variable, set the variable`)
}

/** Milliseconds that a timer can wait; one for longer ends at once. */
const longestTimeout = 2 ** 31 - 1

/** With a time that no timer can wait, each request would fail as if the service did not answer. */
function refuseTimeout({ timeout }: ConnectOptions): void {
  if (timeout === undefined) return
  if (Number.isInteger(timeout) && timeout > 0 && timeout <= longestTimeout) return
  throw new TypeError(
    `timeout of connect must be a whole number of milliseconds from 1 to ${longestTimeout}, not ${describe(timeout)}: give one, or leave it out for 30,000`,
  )
}

function sessionOf({ accessToken, refreshToken }: ConnectOptions, send: Transport, appId: string): Session {
  if (refreshToken !== undefined)
    return refreshingSession({
      ...(accessToken !== undefined && { stored: accessToken }),
      refresh: () => refreshAccessToken(send, appId, refreshToken),
      store: async () => {},
      now: () => new Date(),
    })
  if (accessToken !== undefined) return fixedSession(accessToken)
  return noSession('Nobody is signed in', 'call connect with a refreshToken or an accessToken')
}
