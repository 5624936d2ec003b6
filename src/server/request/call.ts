import { revocationOf, sessionUser } from '../auth/sessions.ts'
import type { ByUser } from '../domain/caller.ts'
import type { Environment } from '../environment.ts'
import type { Scope } from '../operations/handler.ts'
import type { AnyHandler } from '../operations/index.ts'
import { senderAt, storeFor } from '../store/senders.ts'
import type { UserRow } from '../store/users.ts'
import type { Identity } from './authenticate.ts'
import type { Remembered } from './dry-run.ts'
import { Notices } from './notices.ts'
import { askedIn, type Contents, inputOf } from './parse.ts'
import type { Route } from './routes.ts'

/** What a request asks for, and who asks: all that carrying it out takes, also again. */
export interface Call {
  readonly route: Route
  readonly handler: AnyHandler
  readonly contents: Contents
  /** Path and query, as they came. */
  readonly url: string
  readonly identity: Identity
  readonly address: string
  /** The service in which its session is looked up, also in a dry run. */
  readonly service: Environment
}

/** What carrying out a call has to do with its request. */
interface Bearing extends Pick<Scope, 'hold' | 'removed' | 'isGone'> {
  readonly notices: Notices
}

/** Carries out the operation of a call in an environment; what an earlier attempt warned of is forgotten. */
export function carryOut(call: Call, environment: Environment, bearing: Bearing): unknown {
  const { notices } = bearing
  notices.clearWarnings()
  const input = inputOf(call.route, call.contents, { environment, notices })
  return call.handler(scopeOf(call, environment, bearing), input)
}

function scopeOf(
  { identity, address, contents, service }: Call,
  environment: Environment,
  { notices, hold, removed, isGone }: Bearing,
): Scope & Identity & Pick<ByUser, 'isSignedIn' | 'isRevoked'> {
  const { session } = identity
  const asking = { ...senderAt(address, identity.user), isGone }
  return {
    ...identity,
    hold,
    removed,
    isGone,
    environment,
    store: storeFor(environment.store, asking, notices.ofLastAttempt),
    now: environment.clock(),
    baseUrl: contents.baseUrl,
    address,
    warn: (warning) => notices.warn(warning),
    isSignedIn: () => callerNow(identity, service) !== undefined,
    isRevoked: session === undefined ? () => false : revocationOf(session, environment),
  }
}

/** A caller as stored now; undefined if their session has ended. */
export const callerNow = ({ user, session }: Identity, service: Environment): UserRow | undefined =>
  user && session !== undefined ? sessionUser({ user_id: user.id, session }, service) : undefined

/**
 * What is remembered of a call that a dry run carries out again: of its path and query the text alone, and none of its
 * warnings, which are in the answer that it had.
 */
export function rememberedOf({ contents: { params: _, query: __, ...sent }, ...call }: Call): Remembered {
  const { route, url } = call
  const { body, baseUrl, ifNoneMatch = '' } = sent
  return {
    carryOut: async (environment) => {
      const contents = { ...sent, ...askedIn(route.row, url) }
      return carryOut({ ...call, contents }, environment, { notices: new Notices(), ...answered })
    },
    size: url.length + body.length + baseUrl.length + ifNoneMatch.length,
  }
}

const answered = { hold: () => () => {}, removed: () => {}, isGone: () => false }
