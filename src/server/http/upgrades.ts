import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Upgrade } from '../events/websockets.ts'

/** Requests for a WebSocket that are not answered yet. */
export const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/**
 * Has requests for a WebSocket answered by routes, which find the connection in `upgrades`. A request for any other
 * protocol is answered as if it had not asked for that, as clients expect that prefer HTTP/2.
 */
export function addUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (socket.listenerCount('error') === 0) socket.on('error', () => {})
    if (request.headers.upgrade?.toLowerCase() === 'websocket') route(app, request, socket, head)
    else readAgain(app.server, request, socket, head)
  })
}

function route(app: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  upgrades.set(request, { socket, head, take: () => response.detachSocket(socket) })
  app.routing(request, response)
}

/** Reads a request once more from its beginning, without the headers that ask for another protocol. */
function readAgain(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(headerOf(request), 'latin1'), head]))
  server.emit('connection', socket)
}

function headerOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (/^(upgrade|http2-settings)$/i.test(name)) continue
    lines.push(`${name}: ${/^connection$/i.test(name) ? value.replace(/upgrade|http2-settings/gi, '') : value}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
