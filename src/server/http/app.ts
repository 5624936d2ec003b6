import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { isCounted } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { methods } from '../../contract/api/methods.ts'
import { consolePaths } from '../../contract/console.ts'
import { limits } from '../../contract/limits.ts'
import { codeOf } from '../../file-system.ts'
import type { Environment } from '../environment.ts'
import type { Answer } from '../request/answers.ts'
import { parseQuery, pathIn } from '../request/parse.ts'
import type { Found } from '../request/path-table.ts'
import { requestIdHeader, requestIdOf } from '../request/request-id.ts'
import { RequestLife } from '../request/request-life.ts'
import { noRoute, operationPaths, type Route } from '../request/routes.ts'
import { inNextTurn } from '../store/next-turn.ts'
import { gone } from '../store/turns.ts'
import { inTurns } from './answer-parts.ts'
import { followAnswers } from './answers-under-way.ts'
import { boundArriving } from './arriving-bodies.ts'
import { type Callers, direct } from './callers.ts'
import { joinPieces } from './joined-pieces.ts'
import { MalformedPaths } from './malformed-paths.ts'
import { answerClientError } from './malformed-requests.ts'
import { checkMultipart } from './multipart.ts'
import { beginInTurns } from './request-turns.ts'
import { uploadedFiles } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    life: RequestLife | null
    /** The operation that it is for. */
    found: Found<Route> | undefined
    /** The address of who sent it. */
    readonly caller: string
  }
  interface FastifyContextConfig {
    hasOperations?: true
  }
}

/** No route has a JSON schema, as requests are checked by the schemas of the table: no compiler is loaded. */
const noSchemas = () => () => {
  throw new Error('no route has a JSON schema')
}

/**
 * Bytes of a connection that are read while it waits, or one piece with more: Node reads on until it has as many, and takes
 * time with each piece. Answers are written in parts that are longer anyway.
 */
const readAhead = 1

/**
 * A fastify instance without routes, which answers every failure as the API does. Its `ip` is not used: it looks at all
 * that a header has of addresses each time.
 */
export function bareApp(environment: Environment, callers: Callers = direct): FastifyInstance {
  const malformed = new MalformedPaths()
  const app: FastifyInstance = fastify({
    logger: false,
    trustProxy: callers.areBehind,
    exposeHeadRoutes: false,
    bodyLimit: limits.body,
    requestTimeout: limits.requestTime,
    requestIdHeader: false,
    return503OnClosing: false,
    genReqId: ({ headers }) => requestIdOf(headers),
    http: {
      headersTimeout: limits.headerTime,
      connectionsCheckingInterval: limits.lateness,
      requireHostHeader: false,
      highWaterMark: readAhead,
    },
    routerOptions: {
      ignoreDuplicateSlashes: true,
      maxParamLength: 16_384,
      // A query is parsed with its header, in no turn.
      querystringParser: parseQuery,
    },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, { raw }, reply) => malformed.begin(app, raw, reply.raw, error),
  })
  app.decorateRequest('life', null)
  app.decorateRequest('found', undefined)
  app.decorateRequest('caller', {
    getter() {
      return callers.of(this.raw) ?? ''
    },
  })
  app.removeAllContentTypeParsers()
  // An upload is read by its handler, as it arrives.
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  const pathError = (request: FastifyRequest) => malformed.errorOf(request.raw) ?? missing(request)
  app.setNotFoundHandler((request, reply) => send(lifeOf(environment, request).fail(pathError(request)), reply))
  app.setErrorHandler((error, request, reply) =>
    send(
      lifeOf(environment, request).fail(isOfPath(request, error) ? pathError(request) : reasonOf(request, error)),
      reply,
    ),
  )
  malformed.restoreIn(app)
  followAnswers(app.server)
  answerInTurn(app)
  beginInTurns(app, environment)
  boundArriving(app, environment.memory)
  joinPieces(app)
  followLives(app, environment)
  refuseWhileClosing(app)
  return app
}

/** The error of a request whose path is for nothing. */
export const missing = ({ method, url }: FastifyRequest): ApiError => noRoute(method, pathIn(url))

/** Whether a request fails because of its path: whatever else is wrong with it, unless nothing is answered by its `Host`. */
const isOfPath = (request: FastifyRequest, error: unknown): boolean =>
  isForNothing(request) && !(error instanceof ApiError && error.kind === 'hostRefused')

/** Why a request failed: where the client has left, an answer that ends before its first byte is no failure of the service. */
const reasonOf = ({ raw }: FastifyRequest, error: unknown): unknown =>
  raw.socket.destroyed && codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE' ? gone() : error

/** Whether no operation is served at a path. */
const isForNothing = ({ is404, routeOptions, found }: FastifyRequest): boolean =>
  is404 || (routeOptions.config?.hasOperations === true && found === undefined)

/** The life of a request; the first call begins it. */
export function lifeOf(environment: Environment, request: FastifyRequest): RequestLife {
  if (request.life) return request.life
  const { id, method, url, headers, caller: address, routeOptions, raw } = request
  const isGone = () => raw.socket.destroyed
  const life = new RequestLife(environment, { id, method, url, headers, address, isGone })
  if (routeOptions.config?.hasOperations) request.found = operationPaths.find(method, pathIn(url))
  life.operation = request.found?.value.operation
  request.life = life
  return life
}

/**
 * Begins with a request when the one before it on the same connection is answered: a client reads one answer at a time.
 * Other connections have their turn between two answers of one.
 */
function answerInTurn(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, { raw: answer }, done) => {
    // An answer has its connection once it is its turn.
    if (answer.socket) done()
    else answer.once('socket', () => inNextTurn(done))
  })
}

/** Begins the life of every request, and ends it with an entry in the journal and a line in the log. */
function followLives(app: FastifyInstance, environment: Environment): void {
  app.addHook('onRequest', (request, _reply, done) => {
    lifeOf(environment, request)
    done()
  })
  // Before it is sent: a client that has its answer finds its request in the journal. Browsers send preflights themselves.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { clock } = environment.testing
    reply.header(requestIdHeader, request.id)
    if (clock.offset !== 0) reply.header('date', clock.now().toUTCString())
    if (request.method !== 'OPTIONS') {
      const life = lifeOf(environment, request)
      const bodies = { sent: textIn(request.body), answered: textIn(payload), parts: life.parts?.all }
      life.record(reply.statusCode, bodies)
    }
    done()
  })
  if (!environment.log) return
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.url.startsWith(consolePaths.prefix) || reply.statusCode >= 500)
      lifeOf(environment, request).log(reply.statusCode)
    done()
  })
}

/** A body that is one text: that of an upload is kept by its parts, a long answer is not kept. */
const textIn = (body: unknown): string | undefined => (typeof body === 'string' ? body : undefined)

/** Answers requests that arrive on open connections while the service closes. */
function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    if (isClosing) throw new ApiError('closing')
    done()
  })
}

/** Adds one route for all operations: each of its own would take the web server a tenth of a millisecond. */
export function addOperations(app: FastifyInstance, environment: Environment): void {
  for (const [method, url] of [
    [methods, '/v1/*'],
    [['POST'], '/vatom/*'],
  ] as const)
    app.route({
      method: [...method],
      url,
      config: { hasOperations: true },
      onRequest: (request, _reply, done) => {
        if (request.found) begin(environment, request.found.value, request)
        done()
      },
      preHandler: (request, _reply, done) => {
        lifeOf(environment, request).checkSession()
        done()
      },
      // Not as a promise of the reply, which would cost one more of each request.
      handler: (request, reply) => {
        answerTo(environment, request).then(
          (answer) => send(answer, reply),
          (error) => reply.send(error),
        )
      },
    })
}

/** Checks a request for an operation before its body arrives. */
function begin(environment: Environment, route: Route, request: FastifyRequest): void {
  const { operation, row } = route
  const life = lifeOf(environment, request)
  life.authenticate(route, request.headers)
  if (isCounted(row)) environment.callLimit.count(operation, request.caller)
  // Any other body is JSON whatever its type says; a type without a body is ignored.
  if (row.upload) checkMultipart(request.headers['content-type'], row.upload)
  else {
    life.checkRoom(Number(request.headers['content-length'] ?? 0))
    request.raw.headers['content-type'] = undefined
  }
}

/** The answer of an operation. Throws what `missing` returns where there is none. */
async function answerTo(environment: Environment, request: FastifyRequest): Promise<Answer> {
  if (!request.found) throw missing(request)
  const { value: route, params } = request.found
  const { upload } = route.row
  const life = lifeOf(environment, request)
  return await life.perform(route, {
    params,
    query: request.query,
    body: typeof request.body === 'string' ? request.body : '',
    files: upload && uploadedFiles(request.raw, upload, { parts: life.parts }),
    ifNoneMatch: request.headers['if-none-match'],
    baseUrl: baseUrlOf(request),
  })
}

/** The address that the caller used, which the host check has allowed; a proxy that is trusted says whether it is secure. */
export const baseUrlOf = ({ protocol, headers }: FastifyRequest): string =>
  `${protocol === 'https' ? protocol : 'http'}://${headers.host}`

/** Sends the answer to a request; the parts of a long one are made as the client reads them. */
export const send = ({ status, headers, body }: Answer, reply: FastifyReply): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(typeof body === 'string' ? body : inTurns(body, reply))
