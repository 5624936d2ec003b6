import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { largestBy } from '../../contract/schema/largest-by.ts'
import { placeOf } from '../store/places.ts'
import type { Sharer } from '../store/shared-places.ts'
import { hasBody, isUpload } from './joined-pieces.ts'
import { answerAndClose } from './malformed-requests.ts'

/** Who sends a body, and from where. */
type Sender = Pick<Sharer, 'user' | 'place'>
interface Sent extends Sender {
  readonly raw: IncomingMessage
}
interface Body extends Sender {
  readonly request: IncomingMessage
  bytes: number
}

/** Bodies that arrive at the same time or wait for their turn, and how many bytes of them have arrived. */
class Arriving {
  readonly #most: number
  /** The one that began first comes first. */
  readonly #bodies = new Map<IncomingMessage, Body>()
  #all = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Counts the bytes of a body until `end`. */
  follow({ raw, ...sender }: Sent): void {
    this.#begin(raw, sender)
    // `on` would have the bytes flow before they are collected.
    raw.prependListener('data', (chunk: Buffer | string) => this.#add(raw, chunk.length))
  }

  /** Counts a body as so many bytes until it is complete, however many arrive. */
  hold({ raw, ...sender }: Sent, bytes: number): void {
    this.#begin(raw, sender)
    this.#add(raw, bytes)
    raw.once('end', () => this.end(raw))
  }

  end(request: IncomingMessage): void {
    this.#all -= this.#bodies.get(request)?.bytes ?? 0
    this.#bodies.delete(request)
  }

  #begin(request: IncomingMessage, sender: Sender): void {
    this.#bodies.set(request, { ...sender, request, bytes: 0 })
    request.once('close', () => this.end(request))
  }

  #add(request: IncomingMessage, length: number): void {
    const body = this.#bodies.get(request)
    if (body === undefined) return
    body.bytes += length
    this.#all += length
    while (this.#all > this.#most) if (!this.#refuseSome()) return
  }

  /** Refuses those of whoever sends the most until there is room for some time: to find out who that is takes a look at all. */
  #refuseSome(): boolean {
    const most = mostBy(
      ({ user }) => user,
      mostBy(({ place }) => place, [...this.#bodies.values()]),
    )
    const before = this.#all
    for (const { request } of most) {
      if (this.#all <= this.#most && before - this.#all >= this.#most * atOnce) break
      this.end(request)
      answerAndClose(request.socket, new ApiError('busy', 'too much of other requests arrives: send this one again'))
    }
    return most.length > 0
  }
}

/** The share of what may arrive that is refused at once, at least. */
const atOnce = 1 / 64

/** Those of whoever has the most bytes. */
function mostBy(ownerOf: (body: Body) => string, bodies: readonly Body[]): readonly Body[] {
  const bytesOf = (some: readonly Body[]) => some.reduce((sum, { bytes }) => sum + bytes, 0)
  return largestBy(groupBy(bodies, ownerOf).values(), bytesOf) ?? []
}

/**
 * Bounds how many bytes of bodies there are whose requests have not begun, by the `memory` that the service may take: an
 * eighth for users, a 32nd for callers without a token, and an eighth for uploads, which are read as they arrive. Of the address
 * that sends the most, and of the user there who does, the one that began first is answered 503, and its connection closed.
 */
export function boundArriving(app: FastifyInstance, memory: number): void {
  const ofUsers = new Arriving(memory / 8)
  const ofOthers = new Arriving(memory / 32)
  const uploads = new Arriving(memory / 8)
  app.addHook('preParsing', ({ raw, life, headers, ip }, _reply, payload, done) => {
    const bodies = life?.user === undefined ? ofOthers : ofUsers
    const sent = { raw, user: life?.user ?? '', place: placeOf(ip) }
    if (isUpload(headers)) uploads.hold(sent, limits.uploadUnread)
    else if (hasBody(headers)) bodies.follow(sent)
    done(null, payload)
  })
  app.addHook('preHandler', ({ raw, headers }, _reply, done) => {
    if (hasBody(headers)) for (const bodies of [ofUsers, ofOthers]) bodies.end(raw)
    done()
  })
}
