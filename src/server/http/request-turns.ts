import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { LoopTurns } from '../store/loop-turns.ts'
import { placeOf } from '../store/places.ts'
import { isOwnRoute } from '../testing/journal.ts'
import { hasBody } from './joined-pieces.ts'

type Done = (error?: Error) => void

/**
 * Begins with the header of a request, and with what it asks for once its body is complete, when it has its turn: requests of
 * many connections can arrive at the same moment. Addresses share the time, and so do the users of each.
 */
export function beginInTurns(app: FastifyInstance): void {
  const begin = taking(new LoopTurns())
  app.addHook('onRequest', begin)
  app.addHook('preHandler', (request, reply, done) => {
    // Another one has begun in this turn.
    if (hasBody(request.headers) || request.life?.isInjected) begin(request, reply, done)
    else done()
  })
}

/** Goes on with a request at once, or when it is its turn. */
const taking = (turns: LoopTurns) => (request: FastifyRequest, _reply: FastifyReply, done: Done) => {
  if (turns.hasTime()) done()
  else turns.wait(lineOf(request), () => goOn(request, done))
}

/** Nobody waits for the answer of a connection that is closed. */
function goOn({ raw }: FastifyRequest, done: Done): void {
  if (raw.socket.destroyed) done(new ApiError('busy', 'the connection was closed while the request waited'))
  else done()
}

/** The service's own routes have a line beside those of its users, whose tokens are not read yet when a header arrives. */
const lineOf = ({ ip, url, life, headers }: FastifyRequest): readonly string[] => [
  placeOf(ip),
  isOwnRoute(url) ? 'the service' : (life?.user ?? headers.authorization ?? ''),
]
