import type { Socket } from 'node:net'
import { ApiError } from '../../contract/api/errors.ts'
import { largestBy } from '../../contract/schema/largest-by.ts'
import { placeOf } from '../store/places.ts'
import { hasAnswersUnderWay } from './answers-under-way.ts'
import { answerAndClose } from './malformed-requests.ts'

/** Bytes that a connection takes itself while the header of a request arrives. */
const ofConnection = 4096

/** The headers of an address, the one that began first at first, and how many bytes they take. */
interface Home {
  readonly headers: Map<Socket, number>
  bytes: number
}

/**
 * Headers that have arrived in part, and how many bytes they take. Above a bound, of the address that sends the most, those
 * that have been arriving for longest are answered 503, unless the answers to others come before, and their connections
 * closed.
 */
export class UnfinishedHeaders {
  readonly #most: number
  readonly #homes = new Map<string, Home>()
  readonly #places = new WeakMap<Socket, string>()
  #all = 0

  constructor(most: number) {
    this.#most = most
  }

  add(socket: Socket, length: number): void {
    const place = this.#places.get(socket) ?? placeOf(socket.remoteAddress)
    const home = this.#homes.get(place) ?? { headers: new Map<Socket, number>(), bytes: 0 }
    const before = home.headers.get(socket)
    const bytes = length + (before === undefined ? ofConnection : 0)
    this.#places.set(socket, place)
    this.#homes.set(place, home)
    home.headers.set(socket, (before ?? 0) + bytes)
    home.bytes += bytes
    this.#all += bytes
    while (this.#all > this.#most) this.#refuseOne()
  }

  /** To be called when a header is complete, or its connection closed. */
  end(socket: Socket): void {
    const place = this.#places.get(socket) ?? ''
    const home = this.#homes.get(place)
    const bytes = home?.headers.get(socket)
    if (home === undefined || bytes === undefined) return
    home.headers.delete(socket)
    home.bytes -= bytes
    this.#all -= bytes
    if (home.headers.size === 0) this.#homes.delete(place)
  }

  #refuseOne(): void {
    const [first] = largestBy(this.#homes.values(), ({ bytes }) => bytes)?.headers.keys() ?? []
    if (first === undefined) return
    this.end(first)
    if (hasAnswersUnderWay(first)) first.destroy()
    else answerAndClose(first, new ApiError('busy', 'too many requests arrive slowly: send this one again'))
  }
}
