import { type Client, type ClientOptions, createClient, refreshAccessToken } from '../../client/client.ts'
import { createDryRun, type DryRun, offeringDryRuns } from '../../client/dry-run.ts'
import type { End } from '../../client/dry-run-queue.ts'
import { ServiceError, SessionError, UnexpectedAnswerError, UnreachableError } from '../../client/errors.ts'
import { createRawCall, type RawCall } from '../../client/raw.ts'
import { retrying } from '../../client/retry.ts'
import { fixedSession, mintingSession, noSession, refreshingSession, type Session } from '../../client/session.ts'
import { isTemporary } from '../../client/statuses.ts'
import type { Transport } from '../../client/transport.ts'
import type { ErrorName } from '../../contract/api/errors.ts'
import { isLoopbackUrl } from '../../contract/api/loopback.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import { messageOf, parseJson } from '../../contract/unknown-values.ts'
import { codeOf } from '../../file-system.ts'
import type { Service } from '../../server/service.ts'
import { type Dirs, localServiceOptions } from '../dirs.ts'
import { exit, Failure } from '../failure/failure.ts'
import type { Globals } from '../globals.ts'
import type { Host } from '../host.ts'
import type { Output } from '../io/output.ts'
import { waitFor } from '../io/progress.ts'
import { styled } from '../io/text.ts'
import { type Store, unlessUnusable } from './config.ts'
import { noticingUser } from './noticing-user.ts'
import { servingLocal } from './running.ts'
import type { Credentials } from './saved.ts'
import { type Issuer, issuerOf, otherIssuer, type StoredSession, sessionAmong } from './stored-session.ts'
import { headerValue, loginAs, loginAt, loginTo, type NetworkTarget, type Target } from './target.ts'
import { accessFault, refreshFault } from './token-fault.ts'

/** The connection of a run to its service. */
export interface Connection {
  readonly client: Client
  /** For requests without a method of the client. */
  readonly raw: RawCall
  readonly session: Session
  /**
   * A dry run; undefined if the service does not offer dry runs, or its header does not arrive there. `atEnd` is called once with the number of predicted
   * answers when the service predicts no more.
   */
  readonly dryRun: (atEnd: (predicted: number, end: End) => void) => Promise<DryRun | undefined>
  /** Whether it has none because the header of dry runs is removed on the way to the service. */
  readonly isDryRunBlocked: () => boolean
  /** The service, as messages name it. */
  readonly place: string
  /** The publisher's domain name, if it is known without a request. */
  readonly publisher: string | undefined
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly host: Host
  readonly globals: Globals
  readonly output: Pick<Output, 'note'>
  readonly dirs: Dirs
  readonly credentials: Store<Credentials>
  readonly onWarnings: NonNullable<ClientOptions['onWarnings']>
}

export const connect = (target: Target, options: ConnectOptions): Promise<Connection> =>
  target.kind === 'local' ? connectLocal(options) : connectNetwork(target, options)

/** Opens the service of the local context. Addresses that it answers are those of a `vatom serve` of the same data, if one runs. */
export function openLocal({ host, dirs }: Pick<ConnectOptions, 'host' | 'dirs'>): Promise<Service> {
  const servedAt = servingLocal(dirs)?.baseUrl
  return host
    .openService({ ...localServiceOptions(dirs), clock: host.now, baseUrl: servedAt, servedAt })
    .catch((cause: unknown) => {
      throw codeOf(cause) === 'db_unusable' ? unusableHere(cause) : cause
    })
}

async function connectLocal(options: ConnectOptions): Promise<Connection> {
  const service = await openLocal(options)
  const inject = waiting(service.inject, 'local', options)
  return {
    ...clientOf({ ...service, inject }, options.onWarnings),
    place: 'local',
    publisher: service.publisher.fqdn,
    close: () => service.close(),
  }
}

/** A client of a service in this process, signed in as its publisher. */
export function clientOf(
  service: Service,
  onWarnings?: ClientOptions['onWarnings'],
): Pick<Connection, 'client' | 'raw' | 'session' | 'dryRun' | 'isDryRunBlocked'> {
  const session = mintingSession(async () => service.localToken())
  const options = { appId: service.appId, send: service.inject, session, ...(onWarnings && { onWarnings }) }
  return {
    ...callsOf(options),
    dryRun: async (atEnd) => createDryRun(options, { atEnd, onBusy: () => {}, isOnNetwork: false }),
    isDryRunBlocked: () => false,
  }
}

const callsOf = (options: ClientOptions) => ({
  client: createClient(options),
  raw: createRawCall(options),
  session: options.session,
})

/** The database of the local context cannot be used. */
const unusableHere = (cause: unknown) =>
  new Failure('db_unusable', exit.refused, messageOf(cause), {
    hint: `${at(cause, 'remedy') ?? 'move the file away'}, or choose another folder with VATOM_DATA_DIR`,
    cause,
  })

async function connectNetwork(target: NetworkTarget, options: ConnectOptions): Promise<Connection> {
  const { send: carry, close } = await openTransport(target, options)
  const bare = marking(carry)
  const { send, isOffered, isBlocked } = offeringDryRuns(bare, target.appId)
  const session = await openSession(target, send, options)
  const client = { appId: target.appId, send, session, onWarnings: options.onWarnings }
  const place = target.name === undefined ? target.baseUrl : `${target.name} (${target.baseUrl})`
  const onBusy = () => options.output.note(styled`${place} is busy: waiting for it, ${minutes} at most`)
  const calls = callsOf(client)
  return {
    ...calls,
    client: target.name === undefined ? calls.client : noticingUser(calls.client, target, options.credentials),
    raw: createRawCall({ ...client, send: bare }),
    dryRun: async (atEnd) =>
      (await isOffered()) ? createDryRun(client, { atEnd, onBusy, isOnNetwork: true }) : undefined,
    isDryRunBlocked: isBlocked,
    place,
    publisher: target.publisher,
    close,
  }
}

/** A transport whose answers say whether the service has answered before. */
function marking(send: Transport): Transport {
  let answeredBefore = false
  return async (request) => {
    const response = await send(request)
    answeredBefore ||= response.status === 200 && at(parseJson(response.body), 'payload') !== undefined
    return answeredBefore ? { ...response, answeredBefore } : response
  }
}

/** What says which service is meant. */
type Meant = Pick<NetworkTarget, 'baseUrl' | 'appId' | 'current'>

/** A transport whose failures say which service was meant, and whether another context can replace it. */
const naming =
  (send: Transport, { appId, current, baseUrl }: Meant): Transport =>
  (request) =>
    send(request).catch((error: unknown) => {
      if (error instanceof UnreachableError) {
        error.appId = appId
        error.isReplaceable = current && isLoopbackUrl(baseUrl)
      }
      throw error
    })

/** A transport to a service on the network; it retries safe requests within the time limit. */
export async function openTransport(
  target: Meant,
  { host, globals, output }: Pick<ConnectOptions, 'host' | 'globals' | 'output'>,
): Promise<{ send: Transport; close: () => Promise<void> }> {
  const { baseUrl } = target
  const { networkTransport } = await import('../../client/network.ts')
  const timeout = Math.ceil(globals.timeout * 1000)
  const { send, close } = await networkTransport({ baseUrl, timeout, signal: host.signal, env: host.env })
  const place = new URL(baseUrl).host
  const retried = retrying(send, {
    sleep: host.sleep,
    random: host.random,
    now: host.monotonic,
    limit: timeout,
    onAway: (status) => output.note(styled`${place} ${awayText(status)}: waiting for it to start again`),
  })
  return { send: naming(waiting(retried, place, { host, globals }), target), close }
}

/** The minutes for which a busy service is waited for. */
const minutes = plural(limits.dryRunPatience / 60_000, 'minute')

/** What a service does that is waited for. */
const awayText = (status?: number): string =>
  status === undefined ? 'accepts no connections any more' : `takes no requests any more (${status})`

/** A transport that shows on a terminal that its service is being waited for. */
const waiting =
  (send: Transport, place: string, { host, globals }: Pick<ConnectOptions, 'host' | 'globals'>): Transport =>
  (request) =>
    waitFor(send(request), place, { quiet: globals.quiet === true }, host)

async function openSession(
  target: NetworkTarget,
  send: Transport,
  { host, credentials }: ConnectOptions,
): Promise<Session> {
  if (target.environmentTokens) return environmentSession(target, send, host)
  if (target.unclearSession) return failingSession(target.unclearSession)
  const all = target.name === undefined ? {} : await credentials.read()
  const { refresh_token, access_token, guest, refused } = sessionAmong(all, target)
  if (target.name === undefined || refresh_token === undefined) return withoutSession(target, all, host)
  const keep = keeping(credentials, target.name, refresh_token)
  return refreshingSession({
    // One that was refused may be accepted again, as by its own service in the place of another: its renewal shows that.
    ...(access_token !== undefined && !refused && { stored: access_token }),
    refresh: async () => {
      try {
        return await renew(send, { ...target, isGuest: guest }, refresh_token, host.now)
      } catch (error) {
        if (isRefusedByService(error)) await keep({ refused: true })
        throw error
      }
    },
    store: (token) => keep({ access_token: token, service: issuerOf(target) }),
    now: host.now,
  })
}

/** A session that is to be named: nothing that may need one is sent without it. */
function failingSession(failure: Failure): Session {
  const refuse = () => Promise.reject(failure)
  return { accessToken: refuse, renew: refuse }
}

/** No session, and what to do: first about variables that are not read, of which one may have its token. */
async function withoutSession(target: NetworkTarget, all: Credentials, { env }: Host): Promise<Session> {
  const { mistakenVariables } = await import('./mistaken-variables.ts')
  const other = otherIssuer(all, target)
  const [why, remedy] = other ? otherSession(target, other) : [otherTokenText(target), remedyFor(target)]
  const reason = `You are not signed in to ${target.name ?? target.baseUrl}${why}`
  return noSession(reason, [...mistakenVariables(env), remedy].join('; '))
}

/** Why the stored session of a context is not used, and what to do: `login` was killed, or it has changed the context meanwhile. */
function otherSession(target: NetworkTarget, other: Issuer): readonly [string, string] {
  const login = loginTo(String(target.name), { baseUrl: other.base_url, appId: other.app_id })
  return [
    ` (${target.baseUrl}, App-Id ${target.appId}): its stored session is of ${other.base_url}, App-Id ${other.app_id}`,
    `${remedyFor(target)}; for that other service: ${login}; if you have just signed in, run this command again`,
  ]
}

/** Whether a vAtom service says that a refresh token is not valid, and nothing between can have said so. */
const isRefusedByService = (error: unknown) =>
  error instanceof SessionError && error.cause instanceof ServiceError && error.cause.kind === 'refreshToken'

function environmentSession(target: NetworkTarget, send: Transport, { env, now }: Host): Session {
  if (env.VATOM_ACCESS_TOKEN) return givenSession(headerValue(env.VATOM_ACCESS_TOKEN, 'VATOM_ACCESS_TOKEN'), target)
  const refreshToken = headerValue(env.VATOM_REFRESH_TOKEN ?? '', 'VATOM_REFRESH_TOKEN')
  return refreshingSession({ refresh: () => renew(send, target, refreshToken, now), store: async () => {}, now })
}

/** A session with one given access token; once the service has refused one that cannot be one, it says why. */
function givenSession(token: string, { baseUrl }: NetworkTarget): Session {
  const session = fixedSession(token)
  const fault = accessFault(token)
  if (fault === undefined) return session
  const renew = async () => {
    throw new SessionError(`${baseUrl} does not accept the token in VATOM_ACCESS_TOKEN: ${fault.why}`, fault.remedy)
  }
  return { ...session, renew }
}

const otherTokenText = ({ otherToken }: NetworkTarget) =>
  otherToken === undefined ? '' : `: ${otherToken.variable} is for VATOM_BASE_URL, ${otherToken.address}`

/** A service, and whether its session began as that of a guest. */
interface SignedIn extends NetworkTarget {
  readonly isGuest?: boolean | undefined
}

function remedyFor(target: SignedIn): string {
  const { environmentTokens, name, otherToken, unusedContext, isGuest } = target
  if (otherToken) return `leave --base-url out, or set VATOM_BASE_URL to it; or sign in: ${loginAt(target)}`
  if (unusedContext !== undefined)
    return `set VATOM_REFRESH_TOKEN; a pipeline uses the session of the context ${unusedContext} only if that is named: VATOM_CONTEXT=${unusedContext}`
  if (environmentTokens)
    return 'put a new token into VATOM_REFRESH_TOKEN: where you are signed in, vatom auth token --refresh --yes prints one'
  const login = name === undefined ? loginAt(target) : loginAs(name)
  if (isGuest)
    return `if you have kept the guest id, sign in with it: ${login} --guest-id-stdin; if the guest has become a user, with an address: ${login} --email ADDRESS; or as a new guest, who owns nothing: ${login} --guest`
  if (name !== undefined) return `sign in: ${login}`
  return `sign in: ${login}; in a pipeline, set VATOM_REFRESH_TOKEN`
}

async function renew(send: Transport, target: SignedIn, refreshToken: string, now: () => Date): Promise<string> {
  try {
    return await refreshAccessToken(send, target.appId, refreshToken)
  } catch (cause) {
    if (!isSessionRefused(cause)) throw cause
    const why = refreshFault(refreshToken, now()) ?? cause.message
    const kind = cause instanceof ServiceError ? cause.kind : undefined
    const does = cause instanceof ServiceError ? 'does not accept' : 'does not renew'
    throw new SessionError(
      `${target.name === undefined ? target.baseUrl : `The context ${target.name}`} ${does} your session: ${why}`,
      kind === undefined ? `${remedyFor(target)}; if the token is valid, ${otherAnswer}` : remedyFor(target),
      { cause },
    )
  }
}

/** What else may refuse a session, where the refusal has no code of a vAtom service. */
const otherAnswer = 'a firewall or a proxy may have answered: check the address and the network'

/** Refusals that come from a wrong setting, whatever the session. */
const wrongSettings: readonly (ErrorName | undefined)[] = ['appId', 'hostRefused', 'wrongMethod']

/** Whether a service does not renew a session: it refuses to, or answers something else than a token. */
function isSessionRefused(error: unknown): error is ServiceError | UnexpectedAnswerError {
  if (error instanceof UnexpectedAnswerError) return error.isJson
  if (!(error instanceof ServiceError) || error.isOfGateway || wrongSettings.includes(error.kind)) return false
  const { status, kind } = error
  return [400, 401, 403].includes(status) || (kind === undefined && notOfSessions(status))
}

/** Statuses that no vAtom service answers to a session, but something between may. */
const notOfSessions = (status: number) => status < 300 || (status > 405 && status < 429 && !isTemporary(status))

/**
 * Stores what became of a session, if it is still that of its context. Where that is not possible, the next run renews it
 * again: no refresh token is used up.
 */
const keeping =
  (credentials: Store<Credentials>, name: string, refreshToken: string) =>
  async (outcome: Omit<StoredSession, 'refresh_token' | 'guest'>): Promise<void> => {
    const change = (all: Credentials) => {
      const { refused: _, ...saved } = all[name] ?? {}
      return saved.refresh_token === refreshToken ? { ...all, [name]: { ...saved, ...outcome } } : all
    }
    await credentials.update(change).catch(unlessUnusable)
  }
