import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearer, type Tokens } from '../auth/tokens.ts'
import type { Environment } from '../environment.ts'
import { missingKey } from '../request/authenticate.ts'
import { LoopTurns } from '../store/loop-turns.ts'
import { placeOf } from '../store/places.ts'
import { gone } from '../store/turns.ts'
import { isOwnRoute } from '../testing/journal.ts'
import { hasBody } from './joined-pieces.ts'

type Done = (error?: Error) => void

/**
 * Begins with the header of a request, and with what it asks for once its body is complete, when it has its turn: requests of
 * many connections can arrive at the same moment. Addresses share the time, and so do the users of each. Those that wait
 * for the key of their session take another turn then.
 */
export function beginInTurns(
  app: FastifyInstance,
  authority: Pick<Environment, 'tokens' | 'configuredSessions'>,
): void {
  const begin = taking(new LoopTurns(), authority.tokens)
  app.addHook('onRequest', begin)
  app.addHook('onRequest', (request, reply, done) => {
    const key = missingKey(request.headers, authority)
    if (!key) return done()
    key.then(() => (request.raw.socket.destroyed ? done(gone()) : begin(request, reply, done)), done)
  })
  app.addHook('preHandler', (request, reply, done) => {
    // Another one has begun in this turn.
    if (hasBody(request.headers) || request.life?.isInjected) begin(request, reply, done)
    else done()
  })
}

/** Goes on with a request at once, or when it is its turn. */
const taking =
  (turns: LoopTurns, tokens: Pick<Tokens, 'claimsOf'>) =>
  (request: FastifyRequest, reply: FastifyReply, done: Done) => {
    if (turns.hasTime()) return done()
    let isWaiting = true
    // Nothing of a request stays in its line once nobody waits for the answer.
    const giveUp = () => {
      isWaiting = false
      done(gone())
    }
    const goOn = () => {
      isWaiting = false
      reply.raw.off('close', giveUp)
      done()
    }
    reply.raw.once('close', giveUp)
    turns.wait(lineOf(request, tokens), goOn, () => !isWaiting)
  }

/** The service's own routes have a line beside those of its users; all without a genuine token have one. */
const lineOf = (
  { caller, url, life, headers }: FastifyRequest,
  { claimsOf }: Pick<Tokens, 'claimsOf'>,
): readonly string[] => [
  placeOf(caller),
  isOwnRoute(url) ? 'the service' : (life?.user ?? claimsOf(bearer(headers.authorization))?.user_id ?? ''),
]
