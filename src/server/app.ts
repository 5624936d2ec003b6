import { randomUUID } from 'node:crypto'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { type Operation, operations } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { limits } from '../contract/values.ts'
import { type Identity, identify } from './auth/authenticate.ts'
import type { Environment } from './environment.ts'
import { type ErrorAnswer, errorAnswer, successBody, Unauthorized, unauthorizedAnswer } from './http/answers.ts'
import { apiErrorOf } from './http/failures.ts'
import { answerClientError } from './http/sockets.ts'
import { perform } from './perform.ts'

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null
  }
}

const json = 'application/json; charset=utf-8'
/** Paths under which some clients look for an operation, besides its own. */
const aliases: Partial<Record<Operation, readonly string[]>> = { discover: ['/vatom/discover'] }

/** How an instance differs by where its requests come from. */
export interface AppOptions {
  /** Options of a route beyond the table's, for plugins. */
  readonly routeConfig?: (operation: Operation) => object
  /** Address under which a request reached the service. */
  readonly baseUrl: (request: FastifyRequest) => string
}

/** A fastify instance, without routes, whose every failure is answered as the API answers failures. */
export function bareApp(environment: Environment): FastifyInstance {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: limits.body,
    requestTimeout: 30_000,
    requestIdHeader: false,
    return503OnClosing: true,
    genReqId: () => randomUUID(),
    http: { headersTimeout: 15_000, requireHostHeader: false },
    routerOptions: { ignoreDuplicateSlashes: true, maxParamLength: 16_384 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => sendError(environment, error, request, reply),
  })
  app.decorateRequest('identity', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setNotFoundHandler((request, reply) => sendError(environment, new ApiError('unknownPath'), request, reply))
  app.setErrorHandler((error, request, reply) =>
    sendError(environment, request.is404 ? new ApiError('unknownPath') : error, request, reply),
  )
  app.addHook('onResponse', (request, reply, done) => {
    environment.log(line(request, reply))
    done()
  })
  return app
}

/** Registers every row of the table. */
export function addOperations(app: FastifyInstance, environment: Environment, options: AppOptions): void {
  for (const [operation, row] of operations)
    for (const url of [row.path, ...(aliases[operation] ?? [])])
      addRoute(app, environment, options, operation, row, url)
}

function addRoute(
  app: FastifyInstance,
  environment: Environment,
  options: AppOptions,
  operation: Operation,
  row: Endpoint,
  url: string,
): void {
  app.route({
    method: row.method,
    url,
    config: options.routeConfig?.(operation) ?? {},
    onRequest: (request, _reply, done) => {
      if (environment.strictSpec && row.assumed) throw new ApiError('assumedOff')
      request.identity = identify(row.auth, request.headers, environment)
      // A body is JSON whatever its type says, and a type without a body means nothing.
      delete request.raw.headers['content-type']
      done()
    },
    handler: async (request, reply) => {
      const exchange = {
        identity: request.identity ?? {},
        params: request.params as Readonly<Record<string, string>>,
        query: request.query,
        body: typeof request.body === 'string' ? request.body : '',
        baseUrl: options.baseUrl(request),
        notice: (name: string, text: string) => reply.header(name, text),
      }
      const payload = await perform(operation, row, exchange, environment)
      return reply.header('content-type', json).send(successBody(request.id, payload))
    },
  })
}

function sendError(environment: Environment, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = answerTo(environment, error, request.id)
  reply.code(status).headers(headers).header('content-type', json).send(body)
}

function answerTo(environment: Environment, error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof Unauthorized && environment.compat === 'sdk') return unauthorizedAnswer(error.expired)
  const failure = apiErrorOf(error)
  if (failure.kind === 'internal') environment.log(`${requestId} internal: ${stackOf(error)}`)
  return errorAnswer(requestId, failure)
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** One line a request; the query and all bodies stay out of it. */
const line = (request: FastifyRequest, reply: FastifyReply) =>
  `${request.method} ${request.url.split('?', 1)[0]?.slice(0, 300)} ${reply.statusCode} ${reply.elapsedTime.toFixed(1)}ms ${request.id}`
