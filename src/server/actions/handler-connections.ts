import type { ClientRequestArgs } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectWithTls, type TLSSocket } from 'node:tls'
import type { Reach } from '../../this-machine.ts'
import { LoopTurns } from '../store/loop-turns.ts'

/** Bytes of what a handler sends that are parsed at once. */
const piece = 4096
const turns = new LoopTurns()

/**
 * Connects to a handler. What it sends is handed on in pieces, each in its turn: of many that send at the same time, all
 * would be parsed in one turn of the event loop. While a piece waits, nothing is read.
 */
export function connectInPieces({ host, port }: ClientRequestArgs, reach: Reach): Socket {
  const callback = (size: number, buffer: Uint8Array) => {
    const arrived = Buffer.from(buffer.subarray(0, size))
    const handOn = () => {
      socket.push(arrived)
      socket.resume()
    }
    turns.wait([], handOn, () => socket.destroyed)
    return false
  }
  const onread = { buffer: Buffer.allocUnsafeSlow(piece), callback }
  const socket = connect({ host: host ?? undefined, port: Number(port), onread, ...reach })
  return socket
}

/** The same with TLS. A socket would be read by the library of TLS itself, another stream is not. */
export function connectSecurely(to: ClientRequestArgs, reach: Reach): TLSSocket {
  const socket = connectInPieces(to, reach)
  const stream = Duplex.from({ readable: socket, writable: socket })
  // By itself it would report each end without an error as if the service had aborted it.
  stream._destroy = (error, callback) => {
    socket.destroy()
    callback(error)
  }
  const host = to.host ?? undefined
  return connectWithTls({ socket: stream, host, servername: isIP(host ?? '') ? '' : host, ALPNProtocols: ['http/1.1'] })
}
