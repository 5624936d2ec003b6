import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { followExchanges } from './exchanges.ts'

/** The requests of a connection that are not answered yet. */
class UnderWay {
  #count = 0
  #latest: IncomingMessage | undefined
  #then: (() => void) | undefined

  /** The function that it returns is to be called when the answer is closed. */
  begin(request: IncomingMessage): () => void {
    this.#count++
    this.#latest = request
    return () => {
      this.#count--
      if (!this.isOver()) return
      this.#then?.()
      this.#then = undefined
    }
  }

  /** Whether all that have arrived as a whole are answered: only the latest may not have. */
  isOver(): boolean {
    return this.#count <= (this.#latest?.complete === false ? 1 : 0)
  }

  /** Only the first of several functions is called. */
  whenOver(then: () => void): void {
    if (this.isOver()) then()
    else this.#then ??= then
  }
}

const connections = new WeakMap<Socket, UnderWay>()

/** Whether a connection has requests that have arrived as a whole, and are not answered. */
export const hasAnswersUnderWay = (socket: Socket): boolean => connections.get(socket)?.isOver() === false

/** Calls a function once a connection has no answers under way: at once, if it has none now. */
export function afterAnswers(socket: Socket, then: () => void): void {
  const underWay = connections.get(socket)
  if (underWay) underWay.whenOver(then)
  else then()
}

/** Follows the answers of a server. */
export const followAnswers = (server: Server): void =>
  followExchanges(server, (request) => {
    const underWay = connections.get(request.socket) ?? new UnderWay()
    connections.set(request.socket, underWay)
    return underWay.begin(request)
  })
