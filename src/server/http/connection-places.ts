import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { firstOf } from '../../contract/schema/first-of.ts'
import { placeOf } from '../store/places.ts'
import { type CallerOf, connected } from './callers.ts'
import { followExchanges } from './exchanges.ts'

/**
 * Keeps a server from having more connections open than `most`. For a new one, another one is closed: of the address that has
 * most, or its network, that on which nothing has been under way for the longest; if each of them is busy, the oldest whose
 * request does not arrive, or any other, unless the address of the new one has as many: then that is closed itself. `onFull` is
 * called once, when that begins. A connection is at the address of the caller of its latest request. To be called before
 * requests arrive.
 */
export function boundConnections(server: Server, most: number, onFull: () => void, callerOf = connected): void {
  const connections = new Connections(callerOf)
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
  /** Those whose latest request may not be there yet, the oldest first. */
  readonly #arriving = new Map<Socket, Busy>()
  /** Those on which it is, such as WebSockets. */
  readonly #arrived = new Map<Socket, Busy>()

  constructor(place: string) {
    this.place = place
  }

  get size(): number {
    return this.idle.size + this.#arriving.size + this.#arrived.size
  }

  /** One that is busy, best the oldest whose request has not arrived. */
  get oldest(): Socket | undefined {
    const [arriving] = this.#arriving.keys()
    const [arrived] = this.#arrived.keys()
    return arriving ?? arrived
  }

  busy(socket: Socket): Busy | undefined {
    return this.#arriving.get(socket) ?? this.#arrived.get(socket)
  }

  begin(socket: Socket, busy: Busy): void {
    this.remove(socket)
    this.#arriving.set(socket, busy)
  }

  /** One of several requests on a connection has ended. */
  endOne(socket: Socket, busy: Busy): void {
    const place = this.#arriving.has(socket) ? this.#arriving : this.#arrived
    place.set(socket, { ...busy, requests: busy.requests - 1 })
  }

  remove(socket: Socket): void {
    for (const some of [this.idle, this.#arriving, this.#arrived]) some.delete(socket)
  }

  /** The connection of the oldest request that does not arrive, if it began before a time. Each that has arrived is looked at once. */
  late(before: number): Socket | undefined {
    for (const [socket, busy] of this.#arriving) {
      if (!busy.latest.complete) return busy.since < before ? socket : undefined
      this.#arriving.delete(socket)
      this.#arrived.set(socket, busy)
    }
    return undefined
  }
}

/** Homes of the same size that are looked at to find a request that does not arrive. */
const mostLooks = 16

/** Milliseconds after which a request that has not arrived may be given up for others. */
const patience = 1000

/** Homes with as many connections. */
interface OfSize {
  readonly idle: Set<Home>
  readonly busy: Set<Home>
}

const isEmpty = (homes?: OfSize): boolean => homes !== undefined && homes.idle.size + homes.busy.size === 0

class Connections {
  readonly #homes = new Map<Socket, Home>()
  readonly #byPlace = new Map<string, Home>()
  /** Homes by how many connections they have, those with an idle one apart. */
  readonly #bySize: OfSize[] = []
  readonly #callerOf: CallerOf

  constructor(callerOf: CallerOf) {
    this.#callerOf = callerOf
  }

  get size(): number {
    return this.#homes.size
  }

  has(socket: Socket): boolean {
    return this.#homes.has(socket)
  }

  add(socket: Socket, place = placeOf(socket.remoteAddress)): void {
    const home = this.#byPlace.get(place) ?? new Home(place)
    this.#byPlace.set(place, home)
    this.#homes.set(socket, home)
    this.#change(home, () => home.idle.add(socket))
  }

  begin(socket: Socket, latest: IncomingMessage): void {
    const requests = this.#homes.get(socket)?.busy(socket)?.requests ?? 0
    const home = this.#homeOf(socket, placeOf(this.#callerOf(latest)))
    if (home === undefined) return
    const busy = { requests: requests + 1, latest, since: performance.now() }
    this.#change(home, () => home.begin(socket, busy))
  }

  /** The home of a connection, which moves to that of its caller. */
  #homeOf(socket: Socket, place: string): Home | undefined {
    const home = this.#homes.get(socket)
    if (home === undefined || home.place === place) return home
    this.remove(socket)
    this.add(socket, place)
    return this.#homes.get(socket)
  }

  end(socket: Socket): void {
    const home = this.#homes.get(socket)
    const found = home?.busy(socket)
    if (home === undefined || found === undefined) return
    if (found.requests === 1) this.rest(socket)
    else home.endOne(socket, found)
  }

  /** Nothing is under way on a connection any more. */
  rest(socket: Socket): void {
    const home = this.#homes.get(socket)
    if (home === undefined) return
    this.#change(home, () => {
      home.remove(socket)
      home.idle.add(socket)
    })
  }

  remove(socket: Socket): void {
    const home = this.#homes.get(socket)
    if (home === undefined) return
    this.#homes.delete(socket)
    this.#change(home, () => home.remove(socket))
    if (home.size === 0) this.#byPlace.delete(home.place)
  }

  /** The connection that is closed for a new one. */
  replacedBy(newcomer: Socket): Socket {
    while (isEmpty(this.#bySize.at(-1))) this.#bySize.pop()
    const largest = this.#bySize.at(-1)
    if (largest === undefined) return newcomer
    // The new one is idle itself, and at most one home has it.
    for (const home of firstOf(largest.idle, 2)) {
      const idle = firstOf(home.idle, 2).find((socket) => socket !== newcomer)
      if (idle) return idle
    }
    const before = performance.now() - patience
    const homes = [...firstOf(largest.busy, mostLooks), ...firstOf(largest.idle, 1)]
    for (const home of homes) {
      const late = home.late(before)
      if (late) return late
    }
    const [first] = homes
    const isLess = (this.#homes.get(newcomer)?.size ?? 0) < (first?.size ?? 0)
    return (isLess ? first?.oldest : undefined) ?? newcomer
  }

  /** Changes what connections a home has, or whether they are idle. */
  #change(home: Home, change: () => void): void {
    const before = this.#bySize[home.size]
    before?.idle.delete(home)
    before?.busy.delete(home)
    change()
    if (home.size === 0) return
    for (let next = this.#bySize.length; next <= home.size; next++)
      this.#bySize.push({ idle: new Set(), busy: new Set() })
    this.#bySize[home.size]?.[home.idle.size > 0 ? 'idle' : 'busy'].add(home)
  }
}
