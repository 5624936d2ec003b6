import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorName, errorCatalogue } from '../../contract/api/errors.ts'
import type { ScenarioEffect, ScenarioStatus } from '../../contract/api/scenario.ts'
import type { Environment } from '../environment.ts'
import type { MessageEffects } from '../events/subscriber.ts'
import { type Answer, errorAnswer, successAnswer, unauthorizedAnswer } from '../request/answers.ts'
import type { RequestLife } from '../request/request-life.ts'
import { clearTimer, inNextTurn, setTimer } from '../store/next-turn.ts'
import type { Seen } from '../testing/active-scenario.ts'
import { isOwnRoute } from '../testing/journal.ts'
import { lifeOf, send } from './app.ts'
import { unhurried } from './malformed-requests.ts'

/**
 * Applies the scenario to requests of the API before they are authenticated; where a rule looks at the user or the body of
 * a request, once both are known.
 */
export function addScenarioHook(app: FastifyInstance, environment: Environment): void {
  const { scenario } = environment.testing
  const waiting = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', (request, reply, done) => {
    if (scenario.isEmpty || isOwnRoute(request.url)) return done()
    const seen = seenOf(environment, request)
    if (!scenario.waitsFor(seen)) return apply(environment, seen, { request, reply, done })
    waiting.add(request)
    done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (!waiting.delete(request)) return done()
    const body = typeof request.body === 'string' ? request.body : ''
    const seen = {
      ...seenOf(environment, request),
      user: namesOf(environment, lifeOf(environment, request).user),
      body,
    }
    apply(environment, seen, { request, reply, done })
  })
}

const seenOf = (environment: Environment, request: FastifyRequest) => {
  const { method, url, headers } = request
  return { method, url, headers, operation: lifeOf(environment, request).operation }
}

/** The id of a user, and what they sign in with. */
const namesOf = ({ store }: Environment, user: string | undefined): string[] =>
  user === undefined ? [] : [user, ...store.users.tokensOf(user).map(({ token }) => token)]

/** What the scenario does to messages on WebSockets. */
export const messageEffects =
  (environment: Environment): MessageEffects =>
  (user, { type, payload }) =>
    environment.testing.scenario.takeForMessage({ event: type, payload, user: () => namesOf(environment, user) })

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly done: () => void
}

function apply(environment: Environment, seen: Seen, { request, reply, done }: Exchange): void {
  const effect = environment.testing.scenario.take(seen)
  if (effect === undefined) {
    done()
    return
  }
  const life = lifeOf(environment, request)
  life.isInjected = true
  after(effect.latency_ms ?? 0, life.era, { request, reply }, () => {
    const answer = answerOf(environment, request.id, effect)
    if (effect.drop) drop(life, request, reply)
    else if (answer) send(life.answeredWith(answer), reply)
    else done()
  })
}

/** What a rule answers instead of the operation; undefined where it only delays. */
function answerOf(environment: Environment, id: string, effect: ScenarioEffect): Answer | undefined {
  const { status, error, payload, retry_after } = effect
  if (payload !== undefined) return successAnswer(id, payload)
  if (status === undefined && error === undefined) return undefined
  const answer = error === undefined ? refusal(environment, id, status ?? 500) : errorAnswer(id, injected(error))
  if (retry_after === undefined) return answer
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retry_after) } }
}

const injected = (kind: ErrorName) => new ApiError(kind, `${errorCatalogue[kind].title} (a scenario)`)

/** Calls `next` after some milliseconds, or when all data is replaced, unless the connection is closed before. */
function after(
  milliseconds: number,
  era: AbortSignal,
  { request, reply }: Pick<Exchange, 'request' | 'reply'>,
  next: () => void,
): void {
  if (milliseconds === 0) {
    next()
    return
  }
  const { socket } = request
  unhurried.add(socket)
  const end = () => {
    abandon()
    unhurried.delete(socket)
    next()
  }
  const timer = setTimer(end, milliseconds)
  const abandon = () => {
    clearTimer(timer)
    reply.raw.off('close', abandon)
    era.removeEventListener('abort', endSoon)
  }
  reply.raw.once('close', abandon)
  // Not in the transaction that replaces all data.
  const endSoon = () =>
    inNextTurn(() => {
      if (!reply.raw.closed) end()
    })
  era.addEventListener('abort', endSoon)
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

function refusal({ compat }: Environment, id: string, status: ScenarioStatus): Answer {
  const isSdk = status === 401 && compat === 'sdk'
  return { ...(isSdk ? unauthorizedAnswer(true) : errorAnswer(id, injected(meanings[status]))), status }
}
