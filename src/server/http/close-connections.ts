import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../contract/limits.ts'
import { inNextTurn, setTimer } from '../store/next-turn.ts'
import { followExchanges } from './exchanges.ts'

/**
 * Tracks the requests of a server's connections. The returned function closes connections without a complete request at
 * once (nothing, half a header or half a body), others when they are answered, or after `limits.closingTime`. WebSockets
 * are closed elsewhere. `open` counts connections.
 */
export function connectionsOf(server: Server, open: { connections: number }): () => void {
  const requests = new Map<Socket, IncomingMessage | 'upgraded' | undefined>()
  const closeUnasked = () => {
    for (const [socket, request] of requests)
      if (request !== 'upgraded' && !request?.complete && socket.writable) socket.destroySoon()
  }
  server.on('connection', (socket: Socket) => {
    if (!requests.has(socket)) {
      open.connections++
      socket.on('close', () => {
        requests.delete(socket)
        open.connections--
      })
    }
    requests.set(socket, undefined)
  })
  // Before other listeners, which may emit it as a connection again.
  server.prependListener('upgrade', (_request: IncomingMessage, socket: Socket) => requests.set(socket, 'upgraded'))
  followExchanges(server, (request) => {
    requests.set(request.socket, request)
    return () => {
      if (requests.get(request.socket) === request) requests.set(request.socket, undefined)
      if (!server.listening) inNextTurn(closeUnasked)
    }
  })
  return () => {
    setTimer(() => server.closeAllConnections(), limits.closingTime).unref()
    // Bytes that have arrived are read first.
    inNextTurn(closeUnasked)
  }
}
