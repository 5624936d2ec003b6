import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { socketPath } from '../../contract/api/socket.ts'
import { at } from '../../contract/schema/path.ts'
import type { Environment } from '../environment.ts'
import type { Connections } from '../events/websockets.ts'
import { identify } from '../request/authenticate.ts'
import { lifeOf } from './app.ts'
import { upgrades } from './upgrades.ts'

/** Whether the page that a request comes from, if it comes from one, may connect. */
type MayConnect = (headers: FastifyRequest['headers']) => boolean

/**
 * Serves the WebSocket over which events are sent to users: `/ws?app_id=…&token=…`, with an access token. Its code is
 * loaded with the first connection. The answered function closes all of them.
 */
export function addEventSocket(app: FastifyInstance, environment: Environment, mayConnect: MayConnect): () => void {
  let opened: Promise<Connections> | undefined
  let isClosed = false
  app.get(socketPath, async (request, reply) => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) throw new ApiError('invalid', 'only a WebSocket is served here')
    if (!mayConnect(request.headers)) throw new ApiError('hostRefused', 'pages of this origin may not connect')
    const visitor = visitorOf(request.query, environment)
    opened ??= import('../events/websockets.ts').then(({ Connections }) => new Connections(environment))
    const connections = await opened
    const why = isClosed ? 'the service is closing' : connections.refusal(visitor.user)
    if (why) throw new ApiError('busy', why)
    reply.hijack()
    connections.accept(request.raw, upgrade, visitor, () => {
      const life = lifeOf(environment, request)
      life.record(switching)
      life.log(switching)
    })
  })
  return () => {
    isClosed = true
    void opened?.then((connections) => connections.close())
  }
}

/** Who connects; throws what a request with the same application id and token would be refused with. */
function visitorOf(query: unknown, environment: Environment) {
  const headers = { 'app-id': String(at(query, 'app_id')), authorization: `Bearer ${at(query, 'token') ?? ''}` }
  const { user, session } = identify('user', headers, environment)
  if (!user || session === undefined) throw new ApiError('internal', 'a user without a session')
  return { user: user.id, session }
}

const switching = 101
