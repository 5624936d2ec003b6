import type { IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'
import type { Environment } from '../environment.ts'
import type { Upgrade } from '../http/upgrades.ts'
import { Audience } from './audience.ts'
import { Member } from './member.ts'

/** Bytes of a message from a client. */
const longest = 16_384
/** Connections at once. */
const most = 1000

/** Who comes in. */
interface Visitor {
  readonly user: string
  readonly session: string
}

/** Makes connections of requests, and members of the audience of those who made them. */
export class Entrance {
  readonly #audience: Audience
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: longest,
  })

  constructor(environment: Environment) {
    this.#audience = new Audience(environment)
  }

  get isFull(): boolean {
    return this.#audience.size >= most
  }

  /** Answers a request for a WebSocket, and calls `entered` if that can be had: what is not well-formed gets a 400. */
  admit(request: IncomingMessage, { socket, head, take }: Upgrade, { user, session }: Visitor, entered: () => void) {
    take()
    this.#server.handleUpgrade(request, socket, head, (connection) => {
      entered()
      const member = new Member(connection, user, session)
      connection.on('error', () => {})
      connection.on('close', () => this.#audience.leave(member))
      this.#audience.join(member)
      member.send('info', JSON.stringify({ message: 'connected', user_id: user }))
    })
  }

  /** Closes every connection. */
  close(): void {
    this.#audience.close()
  }
}
