import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { firstOf } from '../../contract/schema/first-of.ts'
import { placeOf } from '../store/places.ts'
import { followExchanges } from './exchanges.ts'

/**
 * Keeps a server from having more connections open than `most`. For a new one, another one is closed: of the address that has
 * most, or its network, that on which nothing has been under way for the longest; if each of them is busy, the oldest whose
 * request does not arrive, or any other, unless the address of the new one has as many: then that is closed itself. `onFull` is
 * called once, when that begins. To be called before requests arrive.
 */
export function boundConnections(server: Server, most: number, onFull: () => void): void {
  const connections = new Connections()
  let isFull = false
  server.prependListener('connection', (socket: Socket) => {
    // An upgrade to what is no WebSocket becomes a connection again.
    if (connections.has(socket)) return connections.rest(socket)
    connections.add(socket)
    socket.once('close', () => connections.remove(socket))
    if (connections.size <= most) return
    const closed = connections.replacedBy(socket)
    connections.remove(closed)
    closed.destroy()
    if (!isFull) onFull()
    isFull = true
  })
  server.prependListener('upgrade', (request: IncomingMessage, socket: Socket) => connections.begin(socket, request))
  followExchanges(server, (request) => {
    connections.begin(request.socket, request)
    return () => connections.end(request.socket)
  })
}

/** What is under way on a connection. */
interface Busy {
  readonly requests: number
  readonly latest: IncomingMessage
  readonly since: number
}

/** The connections of an address, or of its network. */
class Home {
  readonly place: string
  /** Those on which nothing is under way, for the longest first. */
  readonly idle = new Set<Socket>()
  readonly busy = new Map<Socket, Busy>()

  constructor(place: string) {
    this.place = place
  }

  /** The oldest busy ones. */
  get oldest(): (readonly [Socket, Busy])[] {
    return firstOf(this.busy, mostLooks)
  }

  get size(): number {
    return this.idle.size + this.busy.size
  }
}

/** Milliseconds after which a request that has not arrived may be given up for others. */
const patience = 1000

/** Busy connections that are looked at to find one whose request does not arrive. */
const mostLooks = 16

class Connections {
  readonly #homes = new Map<Socket, Home>()
  readonly #byPlace = new Map<string, Home>()
  /** Homes by how many connections they have. */
  readonly #bySize: Set<Home>[] = []

  get size(): number {
    return this.#homes.size
  }

  has(socket: Socket): boolean {
    return this.#homes.has(socket)
  }

  add(socket: Socket): void {
    const place = placeOf(socket.remoteAddress)
    const home = this.#byPlace.get(place) ?? new Home(place)
    this.#byPlace.set(place, home)
    this.#homes.set(socket, home)
    this.#resize(home, () => home.idle.add(socket))
  }

  begin(socket: Socket, latest: IncomingMessage): void {
    const home = this.#homes.get(socket)
    if (home === undefined) return
    const { requests } = home.busy.get(socket) ?? { requests: 0 }
    home.idle.delete(socket)
    home.busy.set(socket, { requests: requests + 1, latest, since: performance.now() })
  }

  end(socket: Socket): void {
    const home = this.#homes.get(socket)
    const found = home?.busy.get(socket)
    if (home === undefined || found === undefined) return
    if (found.requests === 1) this.rest(socket)
    else home.busy.set(socket, { ...found, requests: found.requests - 1 })
  }

  /** Nothing is under way on a connection any more. */
  rest(socket: Socket): void {
    const home = this.#homes.get(socket)
    home?.busy.delete(socket)
    home?.idle.add(socket)
  }

  remove(socket: Socket): void {
    const home = this.#homes.get(socket)
    if (home === undefined) return
    this.#homes.delete(socket)
    this.#resize(home, () => home.idle.delete(socket) || home.busy.delete(socket))
    if (home.size === 0) this.#byPlace.delete(home.place)
  }

  /** The connection that is closed for a new one. */
  replacedBy(newcomer: Socket): Socket {
    while (this.#bySize.at(-1)?.size === 0) this.#bySize.pop()
    const [largest] = this.#bySize.at(-1) ?? []
    if (largest === undefined) return newcomer
    const [idle] = largest.idle
    if (idle !== undefined && idle !== newcomer) return idle
    const { oldest } = largest
    const before = performance.now() - patience
    const late = oldest.find(([, { latest, since }]) => !latest.complete && since < before)
    const isLess = (this.#homes.get(newcomer)?.size ?? 0) < largest.size
    return (late ?? (isLess ? oldest[0] : undefined))?.[0] ?? newcomer
  }

  #resize(home: Home, change: () => void): void {
    this.#bySize[home.size]?.delete(home)
    change()
    if (home.size === 0) return
    for (let next = this.#bySize.length; next <= home.size; next++) this.#bySize.push(new Set())
    this.#bySize[home.size]?.add(home)
  }
}
