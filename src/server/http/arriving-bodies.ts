import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { hasBody, isUpload } from './joined-pieces.ts'
import { answerAndClose } from './malformed-requests.ts'

/** Bodies that arrive at the same time or wait for their turn, and how many bytes of them have arrived. */
class Arriving {
  readonly #most: number
  /** The one that began first comes first. */
  readonly #bodies = new Map<IncomingMessage, number>()
  #all = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Counts the bytes of a body until `end`. */
  follow(request: IncomingMessage): void {
    this.#begin(request)
    // `on` would have the bytes flow before they are collected.
    request.prependListener('data', (chunk: Buffer | string) => this.#add(request, chunk.length))
  }

  /** Counts a body as so many bytes until it is complete, however many arrive. */
  hold(request: IncomingMessage, bytes: number): void {
    this.#begin(request)
    this.#add(request, bytes)
    request.once('end', () => this.end(request))
  }

  end(request: IncomingMessage): void {
    this.#all -= this.#bodies.get(request) ?? 0
    this.#bodies.delete(request)
  }

  #begin(request: IncomingMessage): void {
    this.#bodies.set(request, 0)
    request.once('close', () => this.end(request))
  }

  #add(request: IncomingMessage, length: number): void {
    const before = this.#bodies.get(request)
    if (before === undefined) return
    this.#bodies.set(request, before + length)
    this.#all += length
    for (const [first] of this.#bodies) {
      if (this.#all <= this.#most) return
      this.end(first)
      answerAndClose(first.socket, new ApiError('busy', 'too much of other requests arrives: send this one again'))
    }
  }
}

/**
 * Bounds how many bytes of bodies there are whose requests have not begun, by the `memory` that the service may take: an
 * eighth for users, a 32nd for callers without a token, and an eighth for uploads, which are read as they arrive. Those that
 * began to arrive first are answered 503, and their connections closed.
 */
export function boundArriving(app: FastifyInstance, memory: number): void {
  const ofUsers = new Arriving(memory / 8)
  const ofOthers = new Arriving(memory / 32)
  const uploads = new Arriving(memory / 8)
  app.addHook('preParsing', ({ raw, life, headers }, _reply, payload, done) => {
    const bodies = life?.user === undefined ? ofOthers : ofUsers
    if (isUpload(headers)) uploads.hold(raw, limits.uploadUnread)
    else if (hasBody(headers)) bodies.follow(raw)
    done(null, payload)
  })
  app.addHook('preHandler', ({ raw, headers }, _reply, done) => {
    if (hasBody(headers)) for (const bodies of [ofUsers, ofOthers]) bodies.end(raw)
    done()
  })
}
