import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds that requests under way have to be answered in once a server closes. */
const grace = 3000

/**
 * Tracks the requests of a server's connections. The answered function closes at once those without a complete request
 * (nothing, half a header or half a body), and after a while the others; those of another protocol are closed elsewhere.
 */
export function connectionsOf(server: Server): () => void {
  const requests = new Map<Socket, IncomingMessage | 'upgraded' | undefined>()
  server.on('connection', (socket: Socket) => {
    if (!requests.has(socket)) socket.on('close', () => requests.delete(socket))
    requests.set(socket, undefined)
  })
  // Before other listeners, which may emit it as a connection again.
  server.prependListener('upgrade', (_request: IncomingMessage, socket: Socket) => requests.set(socket, 'upgraded'))
  server.on('request', (request: IncomingMessage, response) => {
    requests.set(request.socket, request)
    response.on('close', () => requests.has(request.socket) && requests.set(request.socket, undefined))
  })
  return () => {
    setTimeout(() => server.closeAllConnections(), grace).unref()
    // What has arrived but was not read yet is read first.
    setImmediate(() => {
      for (const [socket, request] of requests) if (request !== 'upgraded' && !request?.complete) socket.destroy()
    })
  }
}
