import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { limits } from '../../contract/limits.ts'
import { residentMemory } from '../resident-memory.ts'
import { placeOf } from '../store/places.ts'
import { allUnread, dropSlowest } from '../unread.ts'
import { connected } from './callers.ts'
import { followExchanges } from './exchanges.ts'

/** The answers of a connection that are not completely sent, in their order. */
export type UnfinishedAnswers = (socket: Socket) => Iterable<ServerResponse>

/** A connection with answers that its client has not read completely. */
class Reader {
  readonly answers = new Set<ServerResponse>()
  /** Of the caller of the latest request. */
  place: string
  readonly #socket: Socket
  #sent = 0
  #since = 0

  constructor(socket: Socket) {
    this.#socket = socket
    this.place = placeOf(socket.remoteAddress)
  }

  add(answer: ServerResponse): void {
    if (this.answers.size === 0) this.#since = performance.now()
    this.answers.add(answer)
  }

  /** Returns whether no answer is left. */
  remove(answer: ServerResponse): boolean {
    this.answers.delete(answer)
    return this.answers.size === 0
  }

  /**
   * Bytes that wait to be read, with those of the parts that are made already, and of requests that wait for their turn,
   * which are behind the answers that are being sent.
   */
  get unread(): number {
    let bytes = (this.answers.size - 1) * waitingRequest + this.#socket.readableLength
    for (const answer of this.answers) {
      if (!answer.headersSent) break
      bytes += answer.writableLength + partsOf(answer)
    }
    return bytes
  }

  /** Milliseconds for which the client has read nothing of what waits for it. */
  idle(now: number): number {
    const sent = this.#socket.bytesWritten - this.#socket.writableLength
    if (sent !== this.#sent || this.#socket.writableLength === 0) this.#since = now
    this.#sent = sent
    return now - this.#since
  }

  /** Whether it was seen to read nothing for some seconds: the kernel takes no more before much of what it has is read. */
  get stands(): boolean {
    return performance.now() - this.#since >= standing && this.#socket.writableLength > 0
  }

  readonly drop = (): void => {
    this.#socket.destroy()
  }
}

/** What an answer in parts takes besides what is written: the next parts, in the forms that they pass through. */
const partsOf = (answer: ServerResponse): number => (answer.hasHeader('content-length') ? 0 : 4 * limits.answerPart)

/** Bytes that a request takes while it waits for the answer before it. */
const waitingRequest = 4096

/** Bytes that are made of an answer at once, at most. */
const mostMade = 6 * limits.answerPart

/** Milliseconds between two looks at all connections. */
const pause = 250

/** Milliseconds without a byte after which a client seems to read nothing. */
const standing = 3000

/** Bytes that clients may leave unread: a sixteenth of the memory, half as much when little of that is left. */
const mostUnread = (memory: number): number => (residentMemory() < (memory * 3) / 4 ? memory / 16 : memory / 32)

/**
 * Whether little memory is left: half of it where clients leave much unread, a quarter elsewhere. Requests alone take the
 * service to little more than half of the default.
 */
function isShort(memory: number, readers: Iterable<Reader>): boolean {
  const left = memory - residentMemory()
  if (left < memory / 4) return true
  return left < memory / 2 && allUnread(readers) > memory / 64
}

/** Has garbage of the process collected when what is in use has grown by half: V8 would wait until it is several times as much. */
export const collectEarly = (): void => setFlagsFromString('--heap-growing-percent=50')

/**
 * Ends connections whose clients do not read: those that leave too much unread or read nothing for too long, and the
 * slowest ones when too much waits in all. `memory` are the bytes that the service may take; once little of them
 * is left, `onShort` is called. To be called before requests arrive. The returned function gives the answers of a connection
 * that are not completely sent, in their order.
 */
export function boundUnread(
  server: Server,
  memory: number,
  onShort: () => void,
  callerOf = connected,
): UnfinishedAnswers {
  const known = new WeakMap<Socket, Reader>()
  const readers = new Set<Reader>()
  let expected = 0
  let looks = 0
  let wasShort = false
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    expected = 0
    looks++
    const now = performance.now()
    if (!wasShort && isShort(memory, readers)) {
      wasShort = true
      onShort()
    }
    for (const reader of readers)
      if (reader.unread > limits.answerUnread || reader.idle(now) > limits.answerIdle) reader.drop()
    dropSlowest(readers, mostUnread(memory))
    if (readers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  server.once('close', () => clearInterval(timer))
  // An answer that waits for the one before it is not told that its connection has closed.
  server.on('connection', (socket: Socket) => {
    if (known.has(socket)) return
    const reader = new Reader(socket)
    known.set(socket, reader)
    socket.once('close', () => {
      known.delete(socket)
      readers.delete(reader)
    })
  })
  followExchanges(server, (request, answer) => {
    const reader = known.get(request.socket)
    if (!reader) return () => {}
    reader.place = placeOf(callerOf(request))
    readers.add(reader)
    reader.add(answer)
    const begun = looks
    timer ??= setInterval(look, pause).unref()
    // Many requests at once leave much unread before the next look.
    expected += mostMade
    if (expected > memory / 16) look()
    return () => {
      if (begun === looks) expected -= mostMade
      if (reader.remove(answer)) readers.delete(reader)
    }
  })
  return (socket) => known.get(socket)?.answers ?? []
}
