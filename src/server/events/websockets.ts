import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { limits } from '../../contract/limits.ts'
import { Subscriber } from './subscriber.ts'
import { type Sources, Subscribers } from './subscribers.ts'

/** What a request for a WebSocket came with. */
export interface Upgrade {
  readonly socket: Socket
  /** What arrived after the header. */
  readonly head: Buffer
  /** Takes the connection from the answer to the request, which is not given. */
  readonly take: () => void
}

/** Who connects. */
interface Visitor {
  readonly user: string
  readonly session: string
}

/** The WebSocket connections of a service; each is a subscriber to what happens. */
export class Connections {
  readonly #subscribers: Subscribers
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.socketMessage,
  })

  constructor(sources: Sources) {
    this.#subscribers = new Subscribers(sources)
  }

  /** Why a user cannot connect now; undefined where they can. */
  refusal(user: string): string | undefined {
    if (this.#subscribers.sizeOf(user) >= limits.socketsOfUser)
      return `you have ${limits.socketsOfUser} connections already`
    return this.#subscribers.size >= limits.sockets ? 'it is full' : undefined
  }

  /** Answers a request for a WebSocket and calls `connected` then; one that is not well-formed is answered with 400. */
  accept(request: IncomingMessage, { socket, head, take }: Upgrade, { user, session }: Visitor, connected: () => void) {
    take()
    this.#server.handleUpgrade(request, socket, head, (connection) => {
      connected()
      const subscriber = new Subscriber(connection, user, session)
      connection.on('error', () => {})
      // A client that sends much and reads nothing is answered with errors, which wait, too.
      connection.on('message', () => subscriber.unread > 0 && this.#subscribers.relieve())
      connection.on('close', () => this.#subscribers.remove(subscriber))
      this.#subscribers.add(subscriber)
      subscriber.send('info', JSON.stringify({ message: 'connected', user_id: user }))
    })
  }

  /** Closes every connection. */
  close(): void {
    this.#subscribers.close()
  }
}
