import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { afterArrivals, inNextTurn } from '../store/next-turn.ts'
import { placeOf } from '../store/places.ts'
import { TimedLines } from '../store/timed-lines.ts'
import { isOwnRoute } from '../testing/journal.ts'
import { hasBody } from './joined-pieces.ts'

/** Milliseconds of a turn of the event loop in which requests begin. */
const length = 5
/** Most requests that begin one after the other between two looks at all connections. */
const atOnce = 8

/** The turn of the event loop. */
class Turn {
  #began: number | undefined

  /** Whether requests may begin; the first always may. */
  hasTime(): boolean {
    if (this.#began !== undefined) return performance.now() - this.#began <= length
    this.#began = performance.now()
    inNextTurn(this.#end)
    return true
  }

  readonly #end = (): void => {
    this.#began = undefined
  }
}

type Done = (error?: Error) => void

/** Lets requests begin as long as the turn has time; others wait in lines for a later turn. */
class RequestTurns {
  readonly #turn: Turn
  readonly #waiting = new TimedLines<() => void>()
  /** How many callbacks look at those that wait. */
  #called = 0
  /** Counts how long what began last took. */
  #end = (): void => {}

  constructor(turn: Turn) {
    this.#turn = turn
  }

  /** Goes on with a request at once, or when it is its turn. */
  readonly take = (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    if (this.#waiting.size === 0 && this.#turn.hasTime()) done()
    else {
      this.#waiting.push(lineOf(request), () => begin(request, done))
      this.#call()
    }
  }

  /** Each has a callback of its own: what it begins is carried out before the next one looks at the time. */
  #call(): void {
    for (; this.#called < Math.min(this.#waiting.size, atOnce); this.#called++) afterArrivals(this.#next)
  }

  readonly #next = (): void => {
    this.#called--
    this.#end()
    const next = this.#turn.hasTime() ? this.#waiting.shift() : undefined
    this.#call()
    if (!next) return
    const began = performance.now()
    this.#end = () => {
      next.took(performance.now() - began)
      this.#end = () => {}
    }
    next.item()
  }
}

/**
 * Begins with the header of a request, and with what it asks for once its body is complete, when it has its turn: requests of
 * many connections can arrive at the same moment. Addresses share the time, and so do the users of each.
 */
export function beginInTurns(app: FastifyInstance): void {
  const turn = new Turn()
  app.addHook('onRequest', new RequestTurns(turn).take)
  const complete = new RequestTurns(turn)
  app.addHook('preHandler', (request, reply, done) => {
    // Another one has begun in this turn.
    if (hasBody(request.headers) || request.life?.isInjected) complete.take(request, reply, done)
    else done()
  })
}

/** Nobody waits for the answer of a connection that is closed. */
function begin({ raw }: FastifyRequest, done: Done): void {
  if (raw.socket.destroyed) done(new ApiError('busy', 'the connection was closed while the request waited'))
  else done()
}

/** The service's own routes have a line beside those of its users, whose tokens are not read yet when a header arrives. */
const lineOf = ({ ip, url, life, headers }: FastifyRequest): readonly string[] => [
  placeOf(ip),
  isOwnRoute(url) ? 'the service' : (life?.user ?? headers.authorization ?? ''),
]
