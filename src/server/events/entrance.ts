import type { IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'
import type { Environment } from '../environment.ts'
import type { Upgrade } from '../http/upgrades.ts'
import { Audience } from './audience.ts'
import { Member } from './member.ts'

/** Bytes of a message from a client. */
const longest = 16_384
/** Connections at once, and those of one user. */
const most = { all: 1000, ofUser: 20 }

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

  /** Why a user cannot come in now, if they cannot. */
  against(user: string): string | undefined {
    if (this.#audience.sizeOf(user) >= most.ofUser) return `you have ${most.ofUser} connections already`
    return this.#audience.size >= most.all ? 'it is full' : undefined
  }

  /** Answers a request for a WebSocket, and calls `entered` if that can be had: what is not well-formed gets a 400. */
  admit(request: IncomingMessage, { socket, head, take }: Upgrade, { user, session }: Visitor, entered: () => void) {
    take()
    this.#server.handleUpgrade(request, socket, head, (connection) => {
      entered()
      const member = new Member(connection, user, session)
      connection.on('error', () => {})
      // Who says much and reads nothing is answered, too.
      connection.on('message', () => member.unread > 0 && this.#audience.relieve())
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
