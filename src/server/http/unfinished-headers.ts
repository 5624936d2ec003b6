import type { Socket } from 'node:net'
import { ApiError } from '../../contract/api/errors.ts'
import { answerAndClose } from './malformed-requests.ts'

/** Bytes that a connection takes itself while the header of a request arrives. */
const ofConnection = 4096

/**
 * Headers that have arrived in part, and how many bytes they take. Above a bound, those that have been arriving for longest
 * are answered 503, and their connections closed.
 */
export class UnfinishedHeaders {
  readonly #most: number
  /** The one that began first comes first. */
  readonly #headers = new Map<Socket, number>()
  #all = 0

  constructor(most: number) {
    this.#most = most
  }

  add(socket: Socket, length: number): void {
    const before = this.#headers.get(socket)
    const bytes = length + (before === undefined ? ofConnection : 0)
    this.#headers.set(socket, (before ?? 0) + bytes)
    this.#all += bytes
    for (const [first] of this.#headers) {
      if (this.#all <= this.#most) return
      this.end(first)
      answerAndClose(first, new ApiError('busy', 'too many requests arrive slowly: send this one again'))
    }
  }

  /** To be called when a header is complete, or its connection closed. */
  end(socket: Socket): void {
    this.#all -= this.#headers.get(socket) ?? 0
    this.#headers.delete(socket)
  }
}
