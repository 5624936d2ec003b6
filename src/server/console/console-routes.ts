import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import {
  type ConsoleCatalog,
  type ConsoleSession,
  consoleEntries,
  consolePaths,
  type DataPlace,
} from '../../contract/console.ts'
import { pageKeyHeader, pageSessionHeader } from '../../contract/page-session.ts'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { portOf } from '../../listening-port.ts'
import type { PageFiles } from '../../pages/page-files.ts'
import { pagePolicy, privateHeaders } from '../../pages/page-headers.ts'
import { SignIn } from '../../pages/sign-in.ts'
import type { Beginning, ProcessSession, ProcessSessions } from '../auth/process-sessions.ts'
import { revocationOf, sessionUser } from '../auth/sessions.ts'
import { eachPart, JsonParts } from '../domain/json-text.ts'
import type { Environment } from '../environment.ts'
import { baseUrlOf, lifeOf, send } from '../http/app.ts'
import { type MachineCheck, otherMachine } from '../http/hosts.ts'
import { successAnswer } from '../request/answers.ts'
import { noRoute } from '../request/routes.ts'
import { retried } from '../store/retried.ts'
import type { UserRow } from '../store/users.ts'

/** The console of a service that listens. */
export interface Console {
  /** A link that signs a browser in once. */
  readonly newLink: (baseUrl: string) => string
  /** Ends the connections of pages that wait for requests. */
  readonly close: () => void
}

interface ConsoleOptions {
  /** The folder of what the build has made for browsers. */
  readonly pages: string
  readonly isOwnMachine: MachineCheck
  readonly catalog: ConsoleCatalog | undefined
  /** The host at which the service reaches itself. */
  readonly host: string
  /** Whether the data is that of the `local` context. */
  readonly isLocal: boolean
}

/**
 * Serves the console to browsers at `/`; other clients are answered that there is no such path. A page has a session of its
 * own, which begins with a link or with an access token of a seeded publisher. What is served is loaded when it is asked for.
 */
export function addConsole(app: FastifyInstance, environment: Environment, options: ConsoleOptions): Console {
  const signIn = new SignIn<ProcessSession>()
  const closers = new Set<() => void>()
  const door = { app, environment, signIn, comparing: new Set<string>(), ...options }
  markRequests(door)
  addPage(door)
  addSessionRoutes(door)
  addDataRoutes(door, closers)
  return {
    newLink: (baseUrl) => linkOf(signIn, baseUrl),
    close: () => {
      for (const close of closers) close()
    },
  }
}

interface Door extends ConsoleOptions {
  readonly app: FastifyInstance
  readonly environment: Environment
  readonly signIn: SignIn<ProcessSession>
  /** The `Authorization` of each comparison of files that is being made. */
  readonly comparing: Set<string>
}

const linkOf = (signIn: Door['signIn'], baseUrl: string) => `${baseUrl}${consolePaths.page}?key=${signIn.newKey()}`

/** Whether a request comes from a page of the service itself, or from no page. */
function isOwnPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  return (
    (origin === undefined || origin === `http://${headers.host}`) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  )
}

/** Marks the requests of pages that are signed in, which may also use what is for this machine, and of comparisons. */
function markRequests({ app, environment, signIn, comparing }: Door): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    if (headers.authorization !== undefined && comparing.has(headers.authorization))
      lifeOf(environment, request).isComparison = true
    if (signIn.sessionOf(headers) && isOwnPage(request)) lifeOf(environment, request).isConsole = true
    done()
  })
}

/** The session of the page that a request comes from. Throws for one of no page that is signed in. */
function signedIn({ signIn }: Door, request: FastifyRequest): ProcessSession {
  if (!isOwnPage(request)) throw new ApiError('originRefused')
  const session = signIn.sessionOf(request.headers)
  if (session) return session
  throw new ApiError('unauthorized', 'Not Authorized: this browser is not signed in to the console')
}

function addPage({ app, pages }: Door): void {
  const read = retried(async () => {
    const { readPageFiles } = await import('../../pages/page-files.ts')
    return readPageFiles(pages, { title: 'vatom console', entries: consoleEntries, scripts: consolePaths.scripts })
  })
  const page = async (): Promise<PageFiles> => {
    const files = await read()
    if (files) return files
    throw new ApiError('notFound', 'the console is not built; run npm run build, or install vatom again')
  }
  app.get(consolePaths.page, async (request, reply) => {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) throw noRoute('GET', consolePaths.page)
    // Directly: a page is no request of the API, which the journal would list.
    reply.hijack()
    const { html } = await page()
    reply.raw.writeHead(200, { ...others, 'Content-Type': html8, ...pageHeaders(request) }).end(html)
  })
  app.get<{ Params: { name: string } }>(`${consolePaths.scripts}:name`, async (request, reply) => {
    const file = (await page()).read(request.params.name)
    if (!file) throw noRoute('GET', request.url)
    return reply
      .headers({ ...others, 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' })
      .send(file.body)
  })
}

const html8 = 'text/html; charset=utf-8'

/** Headers of everything that is served. What is not the page runs nothing, even if it is opened by itself. */
const others = {
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  ...privateHeaders,
}

/** Scripts are those of the build alone: uploaded files are of the same origin. */
const pageHeaders = (request: FastifyRequest) => ({
  'Content-Security-Policy': pagePolicy(`${baseUrlOf(request)}${consolePaths.scripts}`, [
    `ws://${request.headers.host}`,
  ]),
  'Cross-Origin-Opener-Policy': 'same-origin',
})

function addSessionRoutes(door: Door): void {
  const { app, environment, signIn, isOwnMachine } = door
  app.get(consolePaths.session, (request, reply) => {
    if (!isOwnPage(request)) throw new ApiError('originRefused')
    const isSignedIn = lifeOf(environment, request).isConsole
    answer(request, reply, { app_id: environment.appId, ...(isSignedIn && { session: sessionOf(door) }) })
  })
  app.post(consolePaths.session, async (request, reply) => {
    if (!isOwnPage(request)) throw new ApiError('originRefused')
    const usesLink = request.headers[pageKeyHeader] !== undefined
    const { by, ...beginning } = usesLink ? useLink(request, door) : await checkPublisher(request, door)
    reply.header(pageSessionHeader, signIn.begin(environment.processSessions.begin(beginning), by))
    answer(request, reply, sessionOf(door))
  })
  app.delete(consolePaths.session, (request, reply) => {
    signedIn(door, request).end()
    answer(request, reply, { success_message: 'This browser is signed out.' })
  })
  app.post(consolePaths.links, (request, reply) => {
    if (!isOwnMachine(request)) throw otherMachine(request)
    // A program sends no origin: no page of any site gets a link.
    if (request.headers.origin !== undefined) throw new ApiError('originRefused')
    answer(request, reply, { url: linkOf(signIn, baseUrlOf(request)) })
  })
}

interface BeginningOfPage extends Beginning {
  /** Id of the publisher who signs in; empty for a link. */
  readonly by: string
}

/** Uses a link up; its session is valid until it is ended. Throws for a link that was used, and on another machine. */
function useLink(request: FastifyRequest, { signIn, isOwnMachine }: Door): BeginningOfPage {
  if (!isOwnMachine(request)) throw otherMachine(request)
  if (signIn.useKey(request.headers)) return { by: '', isValid: () => true, isRevoked: () => false }
  throw new ApiError('unauthorized', 'Not Authorized: this link was used already, or is of a service that has ended')
}

/** A session that a publisher begins with an access token, valid while that is theirs. Throws for whoever may not begin one. */
async function checkPublisher(request: FastifyRequest, { environment, isOwnMachine }: Door): Promise<BeginningOfPage> {
  const { identify, isAdministrator } = await import('../request/authenticate.ts')
  const { user, session = '' } = identify('publisher', request.headers, environment)
  const isHere = isOwnMachine(request)
  checkOwnLogin(environment.processSessions, session)
  if (user?.seeded !== 1)
    throw new ApiError('notPublisher', 'only a publisher that the service was started with can sign in here')
  const mayShowAll = () => isHere || environment.store.users.isOnePublisher()
  if (!mayShowAll())
    throw new ApiError(
      'notPublisher',
      'the console shows the data of every publisher: open it by its link, on its machine',
    )
  const isValid = () => {
    const now = sessionUser({ user_id: user.id, session }, environment)
    return now?.seeded === 1 && isAdministrator(now) && mayShowAll()
  }
  return { by: user.id, isValid, isRevoked: revocationOf(session, environment) }
}

/** Throws for a token of a page of the console: a session begins with a login, so that one does not go on as the next. */
function checkOwnLogin({ byId, own }: Environment['processSessions'], session: string): void {
  const ofProcess = byId(session)
  if (ofProcess === undefined || ofProcess === own) return
  throw new ApiError(
    'unauthorized',
    'Not Authorized: this token is of a page of the console; sign in with an e-mail address and a password',
  )
}

function sessionOf(door: Door): ConsoleSession {
  const { appId, seed } = door.environment
  return {
    app_id: appId,
    publisher: { id: seed.user().id, fqdn: seed.fqdn, email: seed.email },
    data: dataPlaceOf(door),
  }
}

function dataPlaceOf({ environment, isLocal }: Door): DataPlace {
  if (environment.temporary !== undefined) return 'temporary'
  return isLocal ? 'local' : 'file'
}

function addDataRoutes(door: Door, closers: Set<() => void>): void {
  const { app, environment, catalog, comparing, host } = door
  const { journal } = environment.testing
  app.get(consolePaths.requests, (request, reply) => {
    signedIn(door, request)
    const requests = journal.after(Number(at(request.query, 'after')) || 0)
    answer(request, reply, new JsonParts(eachPart(requests, (one) => JSON.stringify(one))))
  })
  app.get(consolePaths.events, (request, reply) => {
    const session = signedIn(door, request)
    reply.hijack()
    closers.add(follow({ journal, catalog, session, sessions: environment.processSessions }, reply.raw, closers))
  })
  app.get(consolePaths.catalog, async (request, reply) => {
    signedIn(door, request)
    const { tokens, processSessions, appId } = environment
    const user = userOf(environment, at(request.query, 'user'))
    const accessToken = tokens.sign('access', user, processSessions.own.idFor(user.id))
    const served = { user: user.id, baseUrl: `http://${host}:${portOf(app.server)}`, appId, accessToken }
    const authorization = `Bearer ${accessToken}`
    comparing.add(authorization)
    try {
      return answer(request, reply, (await catalog?.compare(served)) ?? null)
    } finally {
      comparing.delete(authorization)
    }
  })
  app.post(consolePaths.token, (request, reply) => {
    const session = signedIn(door, request)
    const user = userOf(environment, at(parseJson(typeof request.body === 'string' ? request.body : ''), 'user'))
    answer(request, reply, { access_token: environment.tokens.sign('access', user, session.idFor(user.id)) })
  })
}

/** The user of an id, or the publisher where none is given. Throws `notFound`. */
function userOf({ store, seed }: Environment, id: unknown): UserRow {
  const user = typeof id === 'string' ? store.users.byId(id) : seed.user()
  if (user) return user
  throw new ApiError('notFound', `no user has the id ${id}`)
}

const answer = (request: FastifyRequest, reply: FastifyReply, payload: unknown) =>
  send(successAnswer(request.id, payload, { 'cache-control': 'no-store' }), reply)

/** Milliseconds in which several requests are one event. */
const pause = 100

/** What a page is notified of. */
interface Followed extends Pick<ConsoleOptions, 'catalog'> {
  readonly journal: Environment['testing']['journal']
  readonly session: ProcessSession
  readonly sessions: Pick<ProcessSessions, 'onEnd'>
}

/**
 * Sends the number of the latest request, at first and when there are others, and that files have changed, until the session
 * ends. The returned function ends that.
 */
function follow(
  { journal, catalog, session, sessions }: Followed,
  response: FastifyReply['raw'],
  closers: Set<() => void>,
): () => void {
  let timer: NodeJS.Timeout | undefined
  const send = (event: string) => {
    if (isOver(session)) close()
    else response.write(event)
  }
  const tell = () => {
    timer = undefined
    send(`data: ${journal.last}\n\n`)
  }
  const stop = journal.listen(() => {
    timer ??= setTimeout(tell, pause)
  })
  const unwatch = catalog?.watch(() => send('event: catalog\ndata:\n\n'))
  const unlisten = sessions.onEnd(() => {
    if (isOver(session)) close()
  })
  const close = () => {
    clearTimeout(timer)
    stop()
    unwatch?.()
    unlisten()
    closers.delete(close)
    response.end()
  }
  response.writeHead(200, { ...others, 'Content-Type': 'text/event-stream' })
  response.on('close', close)
  tell()
  return close
}

/** Whether a session has ended, or cannot be read now: its page then asks again. */
function isOver({ isValid }: ProcessSession): boolean {
  try {
    return !isValid()
  } catch {
    return true
  }
}
