import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { socketPath } from '../../contract/api/socket.ts'
import { at } from '../../contract/schema/path.ts'
import type { Environment } from '../environment.ts'
import type { Visitor } from '../events/visitor.ts'
import type { Upgrade } from '../events/websockets.ts'
import { identify, missingKey } from '../request/authenticate.ts'
import { pathIn } from '../request/parse.ts'
import { noRoute } from '../request/routes.ts'
import { placeOf } from '../store/places.ts'
import { retried } from '../store/retried.ts'
import { decoded } from '../testing/path-pattern.ts'
import { lifeOf } from './app.ts'
import type { OriginCheck } from './cors.ts'
import { hasTooManyFields } from './hosts.ts'
import { answerAndClose } from './malformed-requests.ts'
import { messageEffects } from './scenario-hook.ts'
import type { UnfinishedAnswers } from './unread-answers.ts'

/**
 * Serves the WebSocket over which events are sent to users: `/ws?app_id=…&token=…`, with an access token. Its code is
 * loaded with the first connection. The returned function closes all connections.
 */
export function addEventSocket(
  app: FastifyInstance,
  environment: Environment,
  mayConnect: OriginCheck,
  unfinished: UnfinishedAnswers,
): () => void {
  const opened = retried(async () => {
    const { Connections } = await import('../events/websockets.ts')
    return new Connections(environment, messageEffects(environment))
  })
  let isClosed = false
  app.get(socketPath, async (request, reply) => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) throw new ApiError('invalid', 'only a WebSocket is served here')
    if (!mayConnect(request.headers)) throw new ApiError('originRefused')
    const visitor = await visitorOf(request, environment)
    const connections = await opened()
    const why = isClosed ? 'the service is closing' : connections.refusal(visitor)
    if (why) throw new ApiError('busy', why)
    reply.hijack()
    connections.accept(request.raw, upgrade, visitor, (connection) => {
      const { open } = environment.monitoring
      open.websockets++
      connection.on('close', () => open.websockets--)
      const life = lifeOf(environment, request)
      life.record(switching)
      life.log(switching)
    })
  })
  addUpgrades(app, unfinished)
  return () => {
    isClosed = true
    void opened.begun()?.then((connections) => connections.close())
  }
}

/** Who connects. Throws as a request with the same application id and token would be refused. */
async function visitorOf({ query, caller }: FastifyRequest, environment: Environment): Promise<Visitor> {
  const headers = { 'app-id': String(at(query, 'app_id')), authorization: `Bearer ${at(query, 'token') ?? ''}` }
  environment.store.checkVersion()
  await missingKey(headers, environment)
  const { user, session } = identify('user', headers, environment)
  if (!user || session === undefined) throw new ApiError('internal', 'a user without a session')
  return { user: user.id, session, place: placeOf(caller), isFirst: user.seeded === 1 }
}

const switching = 101

/** The connections of requests for a WebSocket that are not answered yet. */
const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/**
 * Passes requests for a WebSocket to their route, which finds the connection in `upgrades`. A request for any other
 * protocol, such as HTTP/2, or at another path is answered as if it had not asked for one: nobody would notice here that the
 * client of a long answer reads on, or is gone. Where it may have lost header fields, which could be
 * those that a proxy has added, it is refused as any other. Nothing is served by CONNECT: its connection is of no use to HTTP.
 */
function addUpgrades(app: FastifyInstance, unfinished: UnfinishedAnswers): void {
  const afterOthers = (socket: Socket, goOn: () => void) => {
    finished(socket, unfinished(socket))
      .then(() => {
        if (!socket.destroyed) goOn()
      })
      .catch(() => socket.destroy())
  }
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    afterOthers(socket, () => {
      if (isForSocket(request) || hasTooManyFields(request.rawHeaders)) route(app, request, socket, head)
      else readAgain(app.server, request, socket, head)
    }),
  )
  app.server.on('connect', ({ method = '', url = '' }: IncomingMessage, socket: Socket) =>
    afterOthers(socket, () => answerAndClose(socket, noRoute(method, pathIn(url)))),
  )
}

const isForSocket = ({ headers, url = '' }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && pathOf(url) === socketPath

/** The path of a request as its route is found by it: of a whole address, too, without percent-encoding and repeated slashes. */
const pathOf = (url: string): string => decoded(pathIn(url.replace(/^https?:\/\/[^/?#]*/i, ''))).replace(/^\/+/, '/')

/** Resolves once answers are sent. Node no longer reports to them that the client has read on: this does. */
async function finished(socket: Socket, answers: Iterable<ServerResponse>): Promise<void> {
  for (const answer of answers) {
    const readOn = () => answer.emit('drain')
    socket.on('drain', readOn)
    await new Promise((resolve) => answer.once('close', resolve))
    socket.off('drain', readOn)
  }
  // The time that an unused connection stays open does not count from here.
  socket.setTimeout(0)
}

function route(app: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  upgrades.set(request, { socket, head, take: () => response.detachSocket(socket) })
  app.routing(request, response)
}

/** Reads a request again from its beginning, without the headers that ask for another protocol. */
function readAgain(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(headerOf(request), 'latin1'), head]))
  server.emit('connection', socket)
}

function headerOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (/^(upgrade|http2-settings)$/i.test(name)) continue
    lines.push(`${name}: ${/^connection$/i.test(name) ? value.replace(/upgrade|http2-settings/gi, '') : value}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
