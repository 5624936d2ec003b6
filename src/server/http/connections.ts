import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds that requests under way have to be answered in once a server closes. */
const grace = 3000

/**
 * Follows what the connections of a server are doing. The answered function ends those that have not asked anything
 * completely (nothing, half a header or half a body), and after a while the others too; those that another protocol has
 * are ended by who speaks it.
 */
export function connectionsOf(server: Server): () => void {
  const asked = new Map<Socket, IncomingMessage | 'taken' | undefined>()
  server.on('connection', (socket: Socket) => {
    if (!asked.has(socket)) socket.on('close', () => asked.delete(socket))
    asked.set(socket, undefined)
  })
  // Before others hear of it, who may give it back as a connection.
  server.prependListener('upgrade', (_request: IncomingMessage, socket: Socket) => asked.set(socket, 'taken'))
  server.on('request', (request: IncomingMessage, response) => {
    asked.set(request.socket, request)
    response.on('close', () => asked.has(request.socket) && asked.set(request.socket, undefined))
  })
  return () => {
    setTimeout(() => server.closeAllConnections(), grace).unref()
    // What has arrived but was not read yet is read first.
    setImmediate(() => {
      for (const [socket, request] of asked) if (request !== 'taken' && !request?.complete) socket.destroy()
    })
  }
}
