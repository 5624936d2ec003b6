import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorName, errorCatalogue } from '../../contract/api/errors.ts'
import type { ScenarioEffect, ScenarioStatus } from '../../contract/bodies/scenario.ts'
import type { Environment } from '../environment.ts'
import { unhurried } from '../http/client-errors.ts'
import { type ErrorAnswer, errorAnswer, json, unauthorizedAnswer } from '../request/answers.ts'
import { requestLine } from '../request/log.ts'
import { recordRequest } from '../request/record.ts'
import { isOwnRoute } from './journal.ts'

/** Does to requests of the API, before anything else is looked at, what the scenario says. */
export function addScenarioHook(app: FastifyInstance, environment: Environment): void {
  const { scenario } = environment.testing
  app.addHook('onRequest', (request, reply, done) => {
    if (scenario.isEmpty || isOwnRoute(request.url)) return done()
    const { method, url, routeOptions } = request
    const effect = scenario.take({ method, url, operation: routeOptions.config.operation })
    if (effect === undefined) return done()
    request.injected = true
    after(effect.latency_ms ?? 0, request, reply, () => {
      if (effect.drop) drop(environment, request, reply)
      else if (effect.status !== undefined) refuse(environment, request, reply, effect.status, effect)
      else done()
    })
  })
}

/** Goes on after a while, unless the connection is closed before. */
function after(milliseconds: number, request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  if (milliseconds === 0) {
    next()
    return
  }
  const { socket } = request
  unhurried.add(socket)
  const timer = setTimeout(() => {
    reply.raw.off('close', abandon)
    unhurried.delete(socket)
    next()
  }, milliseconds)
  const abandon = () => clearTimeout(timer)
  reply.raw.once('close', abandon)
}

/** Closes the connection in place of an answer. */
function drop(environment: Environment, request: FastifyRequest, reply: FastifyReply): void {
  const { method, url, id, socket } = request
  const { elapsedTime } = reply
  recordRequest(environment, request, { statusCode: null, elapsedTime })
  environment.log?.(requestLine(method, url, 'dropped', elapsedTime, id))
  reply.hijack()
  socket.destroy()
}

/** What the service itself would mean by a status. */
const meanings: Readonly<Record<ScenarioStatus, ErrorName>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'notFound',
  409: 'tokenTaken',
  413: 'tooLarge',
  429: 'rateLimited',
  500: 'internal',
  501: 'assumedOff',
  502: 'internal',
  503: 'busy',
  504: 'busy',
}

function refuse(
  { compat }: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  status: ScenarioStatus,
  { retry_after }: ScenarioEffect,
): void {
  const { body, headers, code } =
    status === 401 && compat === 'sdk' ? unauthorizedAnswer(true) : injected(request, status)
  request.failure = code ?? null
  reply
    .code(status)
    .headers({ ...headers, ...(retry_after !== undefined && { 'retry-after': String(retry_after) }) })
    .header('content-type', json)
    .send(body)
}

function injected({ id }: FastifyRequest, status: ScenarioStatus): ErrorAnswer {
  const kind = meanings[status]
  return errorAnswer(id, new ApiError(kind, `${errorCatalogue[kind].title} (a scenario)`))
}
