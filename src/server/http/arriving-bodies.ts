import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { largestBy } from '../../contract/schema/largest-by.ts'
import { placeOf } from '../store/places.ts'
import type { Sharer } from '../store/shared-places.ts'
import { hasBody, isUpload } from './joined-pieces.ts'
import { answerAndClose } from './malformed-requests.ts'

interface Sent extends Sharer {
  readonly raw: IncomingMessage
}
interface Body extends Sharer {
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

  #begin(request: IncomingMessage, sender: Sharer): void {
    this.#bodies.set(request, { ...sender, request, bytes: 0 })
    request.once('close', () => this.end(request))
  }

  #add(request: IncomingMessage, length: number): void {
    const body = this.#bodies.get(request)
    if (body === undefined) return
    body.bytes += length
    this.#all += length
    while (this.#all > this.#most) if (!this.#refuseSome(body)) return
  }

  /** Refuses some until there is room for some time: to find out whose takes a look at all. */
  #refuseSome(newest: Body): boolean {
    const some = refusedFor(newest, [...this.#bodies.values()])
    const before = this.#all
    for (const { request } of some) {
      if (this.#all <= this.#most && before - this.#all >= this.#most * atOnce) break
      this.end(request)
      answerAndClose(request.socket, new ApiError('busy', 'too much of other requests arrives: send this one again'))
    }
    return some.length > 0
  }
}

/** The share of what may arrive that is refused at once, at least. */
const atOnce = 1 / 64

/**
 * Which bodies have to go for one: those of the user who sends the most, at the address that does; or that one itself where
 * another user sends no more than its own. Those of publishers of the service stay as long as all others send as much.
 */
function refusedFor(newest: Body, all: readonly Body[]): readonly Body[] {
  const others = all.filter(({ isFirst }) => !isFirst)
  const here = mostBy(({ place }) => place, 2 * bytesOf(others) >= bytesOf(all) ? others : all)
  const most = mostBy(({ user }) => user, here)
  const own = here.filter(({ user }) => user === newest.user)
  return own.includes(newest) && !most.includes(newest) && bytesOf(own) >= bytesOf(most) ? [newest] : most
}

const bytesOf = (bodies: readonly Body[]): number => bodies.reduce((sum, { bytes }) => sum + bytes, 0)

/** Those of whoever has the most bytes. */
const mostBy = (ownerOf: (body: Body) => string, bodies: readonly Body[]): readonly Body[] =>
  largestBy(groupBy(bodies, ownerOf).values(), bytesOf) ?? []

/**
 * Bounds how many bytes of bodies there are whose requests have not begun, by the `memory` that the service may take: an
 * eighth for users, a 32nd for callers without a token, and an eighth for uploads, which are read as they arrive. Of the address
 * that sends the most, and of the user there who does, the one that began first is answered 503, and its connection closed; the
 * newest where none of its address sends more. Those of publishers of the service stay as long as all others send as much.
 */
export function boundArriving(app: FastifyInstance, memory: number): void {
  const ofUsers = new Arriving(memory / 8)
  const ofOthers = new Arriving(memory / 32)
  const uploads = new Arriving(memory / 8)
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { life, headers } = request
    if (isUpload(headers)) uploads.hold(sentBy(request), limits.uploadUnread)
    else if (hasBody(headers)) (life?.user === undefined ? ofOthers : ofUsers).follow(sentBy(request))
    done(null, payload)
  })
  app.addHook('preHandler', ({ raw, headers }, _reply, done) => {
    if (hasBody(headers)) for (const bodies of [ofUsers, ofOthers]) bodies.end(raw)
    done()
  })
}

const sentBy = ({ raw, life, caller }: FastifyRequest): Sent => ({
  raw,
  user: life?.user ?? '',
  place: placeOf(caller),
  isFirst: life?.isFirst ?? false,
})
