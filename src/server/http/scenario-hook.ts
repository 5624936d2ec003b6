import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorName, errorCatalogue } from '../../contract/api/errors.ts'
import type { ScenarioEffect, ScenarioStatus } from '../../contract/api/scenario.ts'
import type { Environment } from '../environment.ts'
import { type Answer, errorAnswer, unauthorizedAnswer } from '../request/answers.ts'
import type { RequestLife } from '../request/request-life.ts'
import { isOwnRoute } from '../testing/journal.ts'
import { lifeOf, send } from './app.ts'
import { unhurried } from './malformed-requests.ts'

/** Applies the scenario to requests of the API before they are authenticated. */
export function addScenarioHook(app: FastifyInstance, environment: Environment): void {
  const { scenario } = environment.testing
  app.addHook('onRequest', (request, reply, done) => {
    if (scenario.isEmpty || isOwnRoute(request.url)) return done()
    const { id, method, url } = request
    const life = lifeOf(environment, request)
    const effect = scenario.take({ method, url, operation: life.operation })
    if (effect === undefined) return done()
    life.isInjected = true
    after(effect.latency_ms ?? 0, request, reply, () => {
      if (effect.drop) drop(life, request, reply)
      else if (effect.status !== undefined)
        send(life.answeredWith(refusal(environment, id, effect.status, effect)), reply)
      else done()
    })
  })
}

/** Calls `next` after some milliseconds, unless the connection is closed before. */
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

/** Closes the connection without an answer. */
function drop(life: RequestLife, request: FastifyRequest, reply: FastifyReply): void {
  life.record(null)
  life.log('dropped')
  reply.hijack()
  request.socket.destroy()
}

/** The error that the service itself answers with a status. */
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

function refusal({ compat }: Environment, id: string, status: ScenarioStatus, { retry_after }: ScenarioEffect): Answer {
  const kind = meanings[status]
  const error = new ApiError(kind, `${errorCatalogue[kind].title} (a scenario)`)
  const answer = status === 401 && compat === 'sdk' ? unauthorizedAnswer(true) : errorAnswer(id, error)
  return {
    ...answer,
    status,
    headers: { ...answer.headers, ...(retry_after !== undefined && { 'retry-after': String(retry_after) }) },
  }
}
