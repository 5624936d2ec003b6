import { randomUUID } from 'node:crypto'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Operation } from '../../contract/api/api.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Environment } from '../environment.ts'
import { json, successBody } from '../request/answers.ts'
import { admitted, type Identity } from '../request/authenticate.ts'
import { failureAnswer } from '../request/failures.ts'
import { requestLine } from '../request/log.ts'
import { perform } from '../request/perform.ts'
import { recordRequest } from '../request/record.ts'
import { type Route, routes } from '../request/routes.ts'
import { answerClientError } from './client-errors.ts'
import { checkMultipart } from './multipart.ts'
import { uploadedFiles } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null
    /** Application code of the error that it was answered with. */
    failure: number | null
    /** Whether a scenario had a hand in its answer. */
    injected: boolean
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** How an instance differs by where its requests come from. */
export interface AppOptions {
  /** Options of a route beyond the table's, for plugins. */
  readonly routeConfig?: (operation: Operation) => object
  /** Address under which a request reached the service. */
  readonly baseUrl: (request: FastifyRequest) => string
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
      sendError(environment, error, request, reply)
      recordRequest(environment, request, reply)
    },
  })
  app.decorateRequest('identity', null)
  app.decorateRequest('failure', null)
  app.decorateRequest('injected', false)
  app.removeAllContentTypeParsers()
  // An upload is read by its handler, as it arrives.
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setNotFoundHandler((request, reply) => sendError(environment, new ApiError('unknownPath'), request, reply))
  app.setErrorHandler((error, request, reply) =>
    sendError(environment, request.is404 ? new ApiError('unknownPath') : error, request, reply),
  )
  // Before it is sent: whoever has an answer finds its request in the journal.
  app.addHook('onSend', (request, reply, _payload, done) => {
    recordRequest(environment, request, reply)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    environment.log?.(requestLine(request.method, request.url, reply.statusCode, reply.elapsedTime, request.id))
    done()
  })
  return app
}

/** Registers every row of the table. */
export function addOperations(app: FastifyInstance, environment: Environment, options: AppOptions): void {
  for (const route of routes) addRoute(app, environment, options, route)
}

function addRoute(
  app: FastifyInstance,
  environment: Environment,
  options: AppOptions,
  { operation, row, path }: Route,
): void {
  app.route({
    method: row.method,
    url: path,
    config: { operation, ...options.routeConfig?.(operation) },
    onRequest: (request, _reply, done) => {
      request.identity = admitted(row, request.headers, environment)
      // Any other body is JSON whatever its type says, and a type without a body means nothing.
      if (row.upload) checkMultipart(request.headers['content-type'], row.upload)
      else delete request.raw.headers['content-type']
      done()
    },
    handler: async (request, reply) => {
      const exchange = {
        identity: request.identity ?? {},
        params: request.params as Readonly<Record<string, string>>,
        query: request.query,
        body: typeof request.body === 'string' ? request.body : '',
        files: row.upload && uploadedFiles(request.raw, row.upload),
        baseUrl: options.baseUrl(request),
        ifNoneMatch: request.headers['if-none-match'],
        notice: (name: string, text: string) => reply.header(name, text),
      }
      const payload = await perform(operation, row, exchange, environment)
      return reply.header('content-type', json).send(successBody(request.id, payload))
    },
  })
}

function sendError(environment: Environment, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body, code } = failureAnswer(environment, error, request.id)
  request.failure = code ?? null
  reply.code(status).headers(headers).header('content-type', json).send(body)
}
