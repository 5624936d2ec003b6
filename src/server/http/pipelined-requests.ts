import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../contract/limits.ts'
import { afterArrivals, arrivals, inNextTurn } from '../store/next-turn.ts'
import { placeOf } from '../store/places.ts'
import { beginTurn } from '../store/slices.ts'
import { type CallerOf, type Callers, direct } from './callers.ts'
import { followExchanges } from './exchanges.ts'
import { UnfinishedHeaders } from './unfinished-headers.ts'

/** Requests of a connection that wait for their answers while more of it is read. */
const mostWaiting = 16
/** Parts in which headers and bodies arrive that are not long. */
const fewParts = 4
/** Bytes of a connection that are parsed in its turn, up to the end of a header: some 30 of the shortest requests. */
const piece = 512
/** Bytes of a body in chunks that are parsed at a time: at most some 700 chunks. */
const chunkedPiece = 4096

/** Bytes that Node reads of a connection before anything is known of it. */
const firstRead = 65_536

/** The line of connections of proxies whose callers are not known yet: no caller has that place, whatever a proxy says. */
const unknown = Symbol('unknown callers')
/** How many of them proceed in one turn. */
const unknownAtOnce = 32

/** Those of one place are in one line. */
type Place = string | typeof unknown

/** Milliseconds after which a connection that arrives has nothing to do with those before it. */
const pause = 50

type Parse = (bytes: Buffer) => void

/** Calls a function in a later turn of the event loop. */
type Later = (callback: () => void) => void

/** What all connections have in common. */
interface Shared {
  readonly turns: Turns
  readonly headers: UnfinishedHeaders
  readonly callerOf: CallerOf
}

/** A connection whose requests are parsed piece by piece. */
class Connection {
  readonly #socket: Socket
  readonly #parse: Parse
  readonly #turns: Turns
  readonly #headers: UnfinishedHeaders
  readonly #callerOf: CallerOf
  /** Of the caller of the latest request. */
  #place: Place
  #waiting = 0
  #latest: IncomingMessage | undefined
  /** Whether it is paused here; Node pauses it, too, for bodies and answers that are not read, and resumes it then. */
  #isHeld = false
  #hasTurn = false
  /** Parts of the header, or of the body, that is arriving. */
  #parts = 0
  #isReleased = false

  /** `parse` is the listener of Node. */
  constructor(socket: Socket, parse: Parse, { turns, headers, callerOf }: Shared, place: Place) {
    this.#socket = socket
    this.#parse = parse
    this.#turns = turns
    this.#headers = headers
    this.#callerOf = callerOf
    this.#place = place
    socket.on('data', this.#receive).off('data', parse)
  }

  /** The function that it returns is to be called when the answer is closed. */
  begin(request: IncomingMessage): () => void {
    this.#waiting++
    this.#latest = request
    this.#place = placeOf(this.#callerOf(request))
    this.#parts = 0
    this.#headers.end(this.#socket)
    return () => {
      this.#waiting--
      this.#askForTurn()
    }
  }

  readonly proceed = (): void => {
    if (!this.#isHeld) return
    // Nothing was read of it, so that nobody has noticed if it was reset: sending nothing fails then, and closes it.
    if (this.#socket.writable) this.#socket.write('')
    this.#hasTurn = true
    this.#socket.resume()
  }

  /** Lets others have their turns first. */
  wait(): void {
    this.#socket.pause()
    this.#isHeld = true
    this.#askForTurn()
  }

  /** Leaves the connection to others, as when it becomes a WebSocket. */
  release(): void {
    this.#isReleased = true
    this.#headers.end(this.#socket)
    this.#socket.off('data', this.#receive)
  }

  /** The connection is closed: until its turn, what it has sent would be in memory. */
  leave(): void {
    this.#headers.end(this.#socket)
    this.#turns.remove(this.#place, this.proceed)
  }

  /** Parses one request of what arrives, or a piece where it is the connection's turn, and holds back the rest. */
  readonly #receive = (bytes: Buffer): void => {
    const parsed = this.#mayParse() ? this.#parseOne(bytes) : 0
    if (parsed < bytes.length && !this.#socket.destroyed) this.#holdBack(bytes.subarray(parsed))
  }

  /**
   * Not before its turn: Node resumes a connection whenever it reads on in a body. A request that arrives in many parts takes
   * time with each, however short it is: they wait where others have taken that of the turn of the event loop. While
   * connections wait to be accepted, the first request of a new one does: until then, many of those that are opened over and
   * over are gone.
   */
  #mayParse(): boolean {
    if (this.#waiting >= mostWaiting) return false
    if (this.#isHeld) return this.#hasTurn
    const isNew = this.#latest === undefined
    if (isNew && this.#place !== unknown && this.#turns.hasArrivals()) return false
    return this.#parts < fewParts || !this.#turns.isOver()
  }

  /** Returns how many bytes are parsed: of a body, which is no requests, as many as the turn of the event loop has time for. */
  #parseOne(bytes: Buffer): number {
    const [before, isBody] = [this.#latest, this.#isBody()]
    const isLong = isBody || (this.#hasTurn && this.#place !== unknown)
    let end = this.#pieceEnd(bytes, isLong ? piece : 0)
    this.#hasTurn = false
    this.#isHeld = false
    this.#parse(bytes.subarray(0, end))
    const request = this.#latest
    if (request === before) this.#parts++
    if (request === before && !isBody && !this.#isReleased && !this.#socket.destroyed)
      this.#headers.add(this.#socket, end)
    const part = Math.min(piece, Number(request?.headers['content-length'] ?? piece))
    while (end < bytes.length && request === this.#latest && this.#isBody() && !this.#mustWait()) {
      const begin = end
      end = this.#pieceEnd(bytes, begin + part)
      this.#parse(bytes.subarray(begin, end))
    }
    return end
  }

  /** Each chunk of a body takes time, however short it is, and has no empty line. */
  #pieceEnd(bytes: Buffer, from: number): number {
    const end = headerEnd(bytes, from)
    const isChunked = this.#isBody() && this.#latest?.headers['transfer-encoding'] !== undefined
    return isChunked ? Math.min(end, from + chunkedPiece) : end
  }

  #mustWait(): boolean {
    return this.#socket.isPaused() || (!this.#isSmall() && this.#turns.isOver())
  }

  /** Whether the body has as many bytes as are always taken: that it arrived with its header is no reason to wait. */
  #isSmall(): boolean {
    return Number(this.#latest?.headers['content-length']) <= limits.bodiesAlways
  }

  #isBody(): boolean {
    return this.#latest?.complete === false && !this.#isReleased
  }

  #holdBack(rest: Buffer): void {
    const isPaused = this.#isReleased || this.#socket.isPaused()
    if (!isPaused) this.#socket.pause()
    this.#isHeld ||= !isPaused
    this.#socket.unshift(rest)
    this.#askForTurn()
  }

  #askForTurn(): void {
    if (this.#isHeld && this.#waiting < mostWaiting && !this.#socket.destroyed)
      this.#turns.add(this.#place, this.proceed)
  }
}

/**
 * Lets one after the other proceed, each in a turn of the event loop; addresses take turns, however many of each there are.
 * Those of unknown callers are in one line, in which one caller can have many.
 */
class Turns {
  readonly #asked = new Map<Place, Set<() => void>>()
  #waiting = 0
  #isScheduled = false
  #arrivals = arrivals()
  /** When it was last asked for them, in milliseconds. */
  #latest = 0
  #turn: { readonly hasArrivals: boolean; readonly isOver: () => boolean } | undefined
  readonly #later: Later

  constructor(later: Later) {
    this.#later = later
  }

  /** How many connections wait for their turn. */
  get waiting(): number {
    return this.#waiting
  }

  /** Whether connections may wait to be accepted. */
  hasArrivals(): boolean {
    return this.#thisTurn().hasArrivals
  }

  /** Whether connections have parsed for some milliseconds in this turn of the event loop; others may wait to be accepted. */
  isOver(): boolean {
    const { hasArrivals, isOver } = this.#thisTurn()
    return hasArrivals || isOver()
  }

  #thisTurn() {
    if (this.#turn) return this.#turn
    const now = performance.now()
    if (now - this.#latest > pause) this.#arrivals = arrivals()
    this.#latest = now
    this.#turn = { hasArrivals: this.#arrivals(), isOver: beginTurn() }
    inNextTurn(() => {
      this.#turn = undefined
    })
    return this.#turn
  }

  add(place: Place, proceed: () => void): void {
    const line = this.#asked.get(place) ?? new Set()
    if (!line.has(proceed)) this.#waiting++
    this.#asked.set(place, line.add(proceed))
    this.#schedule()
  }

  remove(place: Place, proceed: () => void): void {
    const line = this.#asked.get(place)
    if (!line?.delete(proceed)) return
    this.#waiting--
    if (line.size === 0) this.#asked.delete(place)
  }

  /** Once for each turn, also where all who asked have left meanwhile. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#later(this.#next)
  }

  readonly #next = (): void => {
    this.#isScheduled = false
    const [first] = this.#asked
    if (!first) return
    const [place, line] = first
    const proceeding = firstOf(line, place === unknown ? unknownAtOnce : 1)
    for (const proceed of proceeding) line.delete(proceed)
    this.#waiting -= proceeding.length
    this.#asked.delete(place)
    if (line.size > 0) this.#asked.set(place, line)
    if (this.#asked.size > 0) this.#schedule()
    for (const proceed of proceeding) proceed()
  }
}

function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const first: T[] = []
  for (const one of all) if (first.push(one) >= most) break
  return first
}

const lineFeed = 10
const carriageReturn = 13

/** Where the first empty line ends that ends behind `from`; the end of all without one. Each header ends with one. */
function headerEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(lineFeed, from); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1
    if (bytes[next] === lineFeed) return next + 1
  }
  return bytes.length
}

/**
 * Parses the requests that clients send without waiting for answers as they are answered: Node would make all that one
 * read of a socket gives, some 2,000. Headers that are not complete take a 16th of `memory` at most. To be called before
 * connections are made.
 */
export function parseInTurns(
  server: Server,
  memory: number,
  callers: Callers = direct,
  later: Later = afterArrivals,
): void {
  const turns = new Turns(later)
  const shared = { turns, headers: new UnfinishedHeaders(memory / 16), callerOf: callers.of }
  const connections = new WeakMap<Socket, Connection>()
  // In one line, those of a caller with many would hold up those of all others.
  const mostOfProxies = memory / 4 / firstRead
  // Nothing is read of those that wait: Node takes 64 KB for what each has sent.
  Object.assign(server, { pauseOnConnect: true })
  server.on('connection', (socket: Socket) => {
    const isNew = !connections.has(socket)
    // Node takes its own listener off where a request is for another protocol: an error that nobody listens for ends the process.
    if (isNew) socket.on('error', () => {})
    // Node parses in its listener, which it has added by now.
    const [parse] = socket.listeners('data')
    if (!parse) return
    const { remoteAddress = '' } = socket
    const isOfProxy = callers.areBehind(remoteAddress)
    const place = isOfProxy ? unknown : placeOf(remoteAddress)
    const connection = new Connection(socket, parse as Parse, shared, place)
    // One that is read again had a request for another protocol.
    if (isNew) socket.once('close', () => connections.get(socket)?.leave())
    if (isNew && turns.waiting < (isOfProxy ? mostOfProxies : 1)) socket.resume()
    else connection.wait()
    connections.set(socket, connection)
  })
  for (const event of ['upgrade', 'connect'])
    server.prependListener(event, (_request: IncomingMessage, socket: Socket) => connections.get(socket)?.release())
  followExchanges(server, (request) => connections.get(request.socket)?.begin(request) ?? (() => {}))
}
