import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** What a request for a WebSocket came with. */
export interface Upgrade {
  readonly socket: Socket
  /** What arrived after the header. */
  readonly head: Buffer
  /** Takes the connection from the answer to the request, which is not given. */
  readonly take: () => void
}

/** Requests for a WebSocket. */
export const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/**
 * Lets routes answer requests for a WebSocket, who find them in `upgrades`. A request for any other protocol is answered
 * as if it had not asked for that, as clients expect that prefer HTTP/2.
 */
export function addUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (socket.listenerCount('error') === 0) socket.on('error', () => {})
    if (request.headers.upgrade?.toLowerCase() === 'websocket') route(app, request, socket, head)
    else again(app.server, request, socket, head)
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

/** Has a connection read once more from where a request began, without its wish for another protocol. */
function again(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
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
