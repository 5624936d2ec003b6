import { randomUUID } from 'node:crypto'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import type { Operation } from '../../contract/api/table.ts'
import { limits } from '../../contract/limits.ts'
import type { Environment } from '../environment.ts'
import type { Answer } from '../request/answers.ts'
import { RequestLife } from '../request/request-life.ts'
import { type Route, routes } from '../request/routes.ts'
import { answerClientError } from './malformed-requests.ts'
import { checkMultipart } from './multipart.ts'
import { uploadedFiles } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    life: RequestLife | null
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** No route has a JSON schema: requests are checked by the table's own, so no compiler need be loaded. */
const noSchemas = () => () => {
  throw new Error('no route has a JSON schema')
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
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      const life = lifeOf(environment, request)
      send(life.fail(error), reply)
      life.record(reply.statusCode)
    },
  })
  app.decorateRequest('life', null)
  app.removeAllContentTypeParsers()
  // An upload is read by its handler, as it arrives.
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  const unknownPath = new ApiError('unknownPath')
  app.setNotFoundHandler((request, reply) => send(lifeOf(environment, request).fail(unknownPath), reply))
  app.setErrorHandler((error, request, reply) =>
    send(lifeOf(environment, request).fail(request.is404 ? unknownPath : error), reply),
  )
  followLives(app, environment)
  return app
}

/** The life of a request; it begins when it is first asked for. */
export function lifeOf(environment: Environment, request: FastifyRequest): RequestLife {
  if (request.life) return request.life
  const { id, method, url, ip: address, routeOptions } = request
  const life = new RequestLife(environment, { id, method, url, address })
  life.operation = routeOptions.config?.operation
  request.life = life
  return life
}

/** Begins the life of every request, and ends it with an entry in the journal and a line in the log. */
function followLives(app: FastifyInstance, environment: Environment): void {
  app.addHook('onRequest', (request, _reply, done) => {
    lifeOf(environment, request)
    done()
  })
  // Before it is sent: a client that has its answer finds its request in the journal. Preflights are the browser's.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.method !== 'OPTIONS') lifeOf(environment, request).record(reply.statusCode)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    lifeOf(environment, request).log(reply.statusCode)
    done()
  })
}

/** How routes differ by what serves them. */
export interface RouteOptions {
  /** Configuration of a route for plugins. */
  readonly configFor: (operation: Operation) => object
  /** Address under which a request reached the service. */
  readonly baseUrl: (request: FastifyRequest) => string
}

/** The door for requests over the network: a route for every operation of the table. */
export function addOperations(app: FastifyInstance, environment: Environment, options: RouteOptions): void {
  for (const route of routes) addRoute(app, environment, options, route)
}

function addRoute(
  app: FastifyInstance,
  environment: Environment,
  { configFor, baseUrl }: RouteOptions,
  route: Route,
): void {
  const { operation, row, path } = route
  app.route({
    method: row.method,
    url: path,
    config: { operation, ...configFor(operation) },
    onRequest: (request, _reply, done) => {
      lifeOf(environment, request).authenticate(route, request.headers)
      // Any other body is JSON whatever its type says, and a type without a body means nothing.
      if (row.upload) checkMultipart(request.headers['content-type'], row.upload)
      else delete request.raw.headers['content-type']
      done()
    },
    handler: async (request, reply) => {
      const answer = await lifeOf(environment, request).perform(route, {
        params: request.params as Readonly<Record<string, string>>,
        query: request.query,
        body: typeof request.body === 'string' ? request.body : '',
        files: row.upload && uploadedFiles(request.raw, row.upload),
        ifNoneMatch: request.headers['if-none-match'],
        baseUrl: baseUrl(request),
      })
      return send(answer, reply)
    },
  })
}

/** Sends what answers a request. */
export const send = ({ status, headers, body }: Answer, reply: FastifyReply): FastifyReply =>
  reply.code(status).headers(headers).send(body)
