import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { limits } from '../../contract/limits.ts'
import { LoopTurns } from '../store/loop-turns.ts'
import { readInTurns } from './read-in-turns.ts'
import { type MessageEffects, Subscriber } from './subscriber.ts'
import { type Sources, Subscribers } from './subscribers.ts'
import type { Visitor } from './visitor.ts'

/** The connection of a request for a WebSocket. */
export interface Upgrade {
  readonly socket: Socket
  /** What arrived after the header. */
  readonly head: Buffer
  /** Takes over the connection: the HTTP request is not answered. */
  readonly take: () => void
}

type OpenSockets = Set<Pick<Subscriber, 'user' | 'watched'>>

/** The WebSocket connections of a service, each a subscriber to events. */
export class Connections {
  readonly #subscribers: Subscribers
  /** Of the messages of all clients. */
  readonly #turns = new LoopTurns()
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // Pings are answered in turns, as messages are.
    autoPong: false,
    // One message of a connection in a turn of the event loop, so that many small ones hold nobody up.
    allowSynchronousEvents: false,
    maxPayload: limits.socketMessage,
    // Each takes more than a hundred bytes, however short it is.
    maxFragments: limits.socketFragments,
    maxBufferedChunks: limits.socketPieces,
    closeTimeout: limits.socketClosing,
  })

  readonly #effects: MessageEffects
  /** Who is connected, for whoever tests the service. */
  readonly #open: OpenSockets

  constructor(sources: Sources & { readonly testing: { readonly sockets: OpenSockets } }, effects: MessageEffects) {
    this.#effects = effects
    this.#subscribers = new Subscribers(sources)
    this.#open = sources.testing.sockets
  }

  /** Why somebody cannot connect now; undefined if they can. */
  refusal(visitor: Visitor): string | undefined {
    return this.#subscribers.refusal(visitor)
  }

  /** Accepts a request for a WebSocket and calls `connected`; answers a malformed one with 400. */
  accept(
    request: IncomingMessage,
    { socket, head, take }: Upgrade,
    visitor: Visitor,
    connected: (connection: WebSocket) => void,
  ) {
    take()
    this.#server.handleUpgrade(request, socket, head, (connection) => {
      connected(connection)
      const subscriber = new Subscriber(connection, socket, visitor, this.#effects)
      connection.on('error', () => {})
      readInTurns(connection, this.#turns, visitor, (text) => {
        subscriber.receive(text)
        // Errors count as unread too, for a client that sends much and reads nothing.
        if (subscriber.unread > 0) this.#subscribers.relieve()
      })
      connection.on('close', () => {
        this.#subscribers.remove(subscriber)
        this.#open.delete(subscriber)
      })
      this.#open.add(subscriber)
      this.#subscribers.add(subscriber)
      subscriber.send('info', JSON.stringify({ message: 'connected', user_id: visitor.user }))
    })
  }

  /** Closes every connection. */
  close(): void {
    this.#subscribers.close()
  }
}
