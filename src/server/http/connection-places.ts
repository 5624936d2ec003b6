import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { followExchanges } from './exchanges.ts'

/** Bytes of a service's memory for each connection that may be open. */
const memoryEach = 16_384

/** Open files of the process that are no connections of clients, at least. */
const fewestOthers = 64

/**
 * How many connections may be open: what a service with so much memory can have, and fewer where the process may not have
 * as many files open. An eighth of those are for all else that it opens: without any, the process could not go on.
 */
export function mostConnections(memory: number): number {
  const files = mostFiles()
  return Math.max(1, Math.floor(Math.min(memory / memoryEach, files - Math.max(fewestOthers, files / 8))))
}

/** How many files the process may have open, where the system tells it. */
function mostFiles(): number {
  try {
    const [, found] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return found === undefined ? Number.POSITIVE_INFINITY : Number(found)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Keeps a server from having more connections open than `most`: for a new one, that one is closed on which nothing has been
 * under way for the longest; the new one itself if each is busy. `onFull` is called once, when that begins. To be called before
 * requests arrive.
 */
export function boundConnections(server: Server, most: number, onFull: () => void): void {
  /** How many requests of each open connection are under way; a WebSocket counts as one. */
  const underWay = new Map<Socket, number>()
  const idle = new Set<Socket>()
  let isFull = false
  const begin = (socket: Socket) => {
    idle.delete(socket)
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
  }
  const end = (socket: Socket) => {
    const count = underWay.get(socket)
    if (!count) return
    underWay.set(socket, count - 1)
    if (count === 1) idle.add(socket)
  }
  server.prependListener('connection', (socket: Socket) => {
    // An upgrade to what is no WebSocket becomes a connection again.
    const isKnown = underWay.has(socket)
    underWay.set(socket, 0)
    idle.add(socket)
    if (isKnown) return
    socket.once('close', () => {
      underWay.delete(socket)
      idle.delete(socket)
    })
    if (underWay.size <= most) return
    const [longest = socket] = idle
    underWay.delete(longest)
    idle.delete(longest)
    longest.destroy()
    if (!isFull) onFull()
    isFull = true
  })
  server.prependListener('upgrade', (_request, socket: Socket) => begin(socket))
  followExchanges(server, ({ socket }) => {
    begin(socket)
    return () => end(socket)
  })
}
