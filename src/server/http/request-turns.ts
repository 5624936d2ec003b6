import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { placeOf } from '../auth/attempts.ts'
import { inNextTurn } from '../store/next-turn.ts'
import { beginTurn } from '../store/slices.ts'
import { isOwnRoute } from '../testing/journal.ts'
import { TimedLines } from './timed-lines.ts'

/** Most requests that begin one after the other between two looks at all connections. */
const atOnce = 8

/** Lets requests begin as long as the turn of the event loop has time; others wait in lines for a later turn. */
class RequestTurns {
  readonly #waiting = new TimedLines<() => void>()
  #isOver: (() => boolean) | undefined
  /** How many callbacks look at those that wait. */
  #called = 0
  /** Counts how long what began last took. */
  #end = (): void => {}

  /** Calls a function at once, or when it is its turn. */
  take(line: () => readonly string[], begin: () => void): void {
    if (this.#waiting.size === 0 && this.#hasTime()) begin()
    else {
      this.#waiting.push(line(), begin)
      this.#call()
    }
  }

  /** What is first in a turn always has time. */
  #hasTime(): boolean {
    if (this.#isOver) return !this.#isOver()
    this.#isOver = beginTurn()
    inNextTurn(() => {
      this.#isOver = undefined
    })
    return true
  }

  /** Each has a callback of its own: what it begins is carried out before the next one looks at the time. */
  #call(): void {
    for (; this.#called < Math.min(this.#waiting.size, atOnce); this.#called++) inNextTurn(this.#next)
  }

  readonly #next = (): void => {
    this.#called--
    this.#end()
    const next = this.#hasTime() ? this.#waiting.shift() : undefined
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
  for (const hook of ['onRequest', 'preHandler'] as const) {
    const turns = new RequestTurns()
    app.addHook(hook, (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
      turns.take(
        () => lineOf(request),
        () => begin(request, done),
      ),
    )
  }
}

/** Nobody waits for the answer of a connection that is closed. */
function begin({ raw }: FastifyRequest, done: (error?: Error) => void): void {
  if (raw.socket.destroyed) done(new ApiError('busy', 'the connection was closed while the request waited'))
  else done()
}

/** The service's own routes have a line beside those of its users, whose tokens are not read yet when a header arrives. */
const lineOf = ({ ip, url, life, headers }: FastifyRequest): readonly string[] => [
  placeOf(ip),
  isOwnRoute(url) ? 'the service' : (life?.user ?? headers.authorization ?? ''),
]
