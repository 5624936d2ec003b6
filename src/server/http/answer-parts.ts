import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { LoopTurns } from '../store/loop-turns.ts'
import { placeOf } from '../store/places.ts'

/** The turns in which parts of answers are made: one event loop makes those of all services of a process. */
const turns = new LoopTurns()

/**
 * The parts of an answer, or of a file, each in a turn of its own: to a client that reads fast all would be made in one turn of the event
 * loop, and to many that read at the same time one of each. Addresses share the time, and so do the users of each. The connection
 * is closed before more is made for a caller whose session has ended, or who has lost the rights of an administrator.
 */
export const inTurns = (parts: Parts, reply: FastifyReply): Readable => Readable.from(eachInTurn(parts, reply))

/** Milliseconds after which it is asked again whose an answer is; one that is read at once is soon sent. */
const askedAgain = 100

type Parts = Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>

async function* eachInTurn(parts: Parts, { request, raw }: FastifyReply): AsyncGenerator<string | Uint8Array, void> {
  const line = [placeOf(request.caller), request.life?.user ?? '']
  let goOn = () => {}
  let asked = performance.now()
  // Nothing of an answer stays in its line once nobody waits for it.
  raw.once('close', () => goOn())
  for await (const part of parts) {
    yield part
    await new Promise<void>((resolve) => {
      goOn = resolve
      turns.wait(line, resolve, () => raw.destroyed)
    })
    if (performance.now() - asked < askedAgain) continue
    asked = performance.now()
    if (request.life?.isOfCaller !== false) continue
    raw.destroy()
    return
  }
}
