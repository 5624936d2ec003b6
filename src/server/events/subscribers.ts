import { limits } from '../../contract/limits.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import type { ProcessSessions } from '../auth/process-sessions.ts'
import { type Sessions, sessionUser } from '../auth/sessions.ts'
import { arrivalPayloads } from '../domain/events.ts'
import type { EventRow } from '../store/events.ts'
import { inNextTurn, nextTurn } from '../store/next-turn.ts'
import { replacedBy } from '../store/shared-places.ts'
import { beginTurn, type Steps } from '../store/slices.ts'
import { dropSlowest } from '../unread.ts'
import { closeCodes } from './close-codes.ts'
import { MapEvents } from './map-events.ts'
import { isIn, type Message, type Subscriber } from './subscriber.ts'
import type { Visitor } from './visitor.ts'

/** Events that are read at a time, and where more wait than `behind`. */
const batch = 16
const largeBatch = 64
/** Events that may wait before those of the map wait for those of users: what happens there can have many watchers. */
const behind = 128
/** Events of the map that are sent at a time, each watcher's in one write; fewer while those of users may wait. */
const mapBatch = 32
const mapShare = 8
/** Payloads after which no further event is read: what a client is sent of them takes some milliseconds. */
const sentAtOnce = 500

/** The part of the memory that may be taken by what clients have not read. */
const unreadShare = 1 / 4

/** Where events and sessions are read, and failures are logged. */
export interface Sources extends Sessions {
  readonly processSessions: Pick<ProcessSessions, 'byId' | 'onEnd'>
  readonly log: ((line: string) => void) | undefined
  /** Bytes that the service may take. */
  readonly memory: number
  /** Connections of clients that may be open at once. */
  readonly connections: number
}

/** All connected clients; each is sent the events that concern its user, in their order. */
export class Subscribers {
  readonly #sources: Sources
  readonly #all = new Set<Subscriber>()
  readonly #byUser = new Map<string, Set<Subscriber>>()
  readonly #map = new MapEvents()
  #seq = 0
  #isOpen = false
  #isReading = false
  /** What is being sent, one client after the other; whether more can be read is its value. */
  #sending: Steps<boolean> | undefined
  #sweep: NodeJS.Timeout | undefined
  #end = () => {}

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** Why somebody cannot connect now; undefined if they can. */
  refusal(visitor: Visitor): string | undefined {
    const own = this.#byUser.get(visitor.user)?.size ?? 0
    if (own >= limits.socketsOfUser) return `you have ${limits.socketsOfUser} connections already`
    return this.#isFull() && !replacedBy(visitor, this.#all) ? 'it is full' : undefined
  }

  /** Sends a subscriber all events from now on, until `remove`. If there is no place, that of another is theirs. */
  add(subscriber: Subscriber): void {
    if (this.#isFull()) this.#endReplaced(replacedBy(subscriber, this.#all))
    subscriber.since = this.#sources.store.events.last()
    if (this.#all.size === 0) this.#begin(subscriber.since)
    this.#all.add(subscriber)
    this.#byUser.set(subscriber.user, (this.#byUser.get(subscriber.user) ?? new Set()).add(subscriber))
  }

  remove(subscriber: Subscriber): void {
    const others = this.#byUser.get(subscriber.user)
    others?.delete(subscriber)
    if (others?.size === 0) this.#byUser.delete(subscriber.user)
    if (this.#all.delete(subscriber) && this.#all.size === 0) this.#end()
  }

  /** Drops the slowest readers if too many bytes are unread. */
  relieve(): void {
    dropSlowest(this.#all, this.#sources.memory * unreadShare)
  }

  /** Closes every connection. */
  close(): void {
    this.#end()
    for (const subscriber of this.#all) subscriber.close(closeCodes.closing, 'the service is closing')
  }

  #isFull(): boolean {
    return this.#all.size >= Math.min(limits.sockets, this.#sources.connections / 2)
  }

  #endReplaced(subscriber: Subscriber | undefined): void {
    if (!subscriber) return
    subscriber.close(closeCodes.full, 'others need the place: try again later')
    this.remove(subscriber)
  }

  /** The database is watched only while somebody is connected. */
  #begin(seq: number): void {
    this.#seq = seq
    this.#isOpen = true
    const unwatch = this.#sources.store.watch(() => {
      this.#readSoon()
      this.#checkSoon()
    })
    const unlisten = this.#sources.processSessions.onEnd(() => this.#checkSoon())
    const beat = setInterval(() => {
      void this.#checkSessions()
      for (const subscriber of this.#all) subscriber.ping()
    }, limits.socketPing).unref()
    this.#end = () => {
      this.#isOpen = false
      this.#map.clear()
      unwatch()
      unlisten()
      clearInterval(beat)
      clearTimeout(this.#sweep)
      this.#sweep = undefined
    }
  }

  #checkSoon(): void {
    // A check takes microseconds for each subscriber: with a delay of a millisecond for each, it serves many changes.
    this.#sweep ??= setTimeout(() => {
      this.#sweep = undefined
      void this.#checkSessions()
    }, this.#all.size).unref()
  }

  #readSoon(): void {
    if (this.#isReading) return
    this.#isReading = true
    inNextTurn(() => {
      this.#isReading = false
      if (this.#isOpen) this.#logged(() => this.#read())
    })
  }

  #read(): void {
    const sending = this.#sending ?? this.#sendNext()
    // What fails is not continued: after the next change, it is begun again.
    this.#sending = undefined
    const isOver = beginTurn()
    let step = sending.next()
    while (!step.done && !isOver()) step = sending.next()
    if (!step.done) this.#sending = sending
    this.relieve()
    if (!step.done || step.value) this.#readSoon()
  }

  /** Sends what was stored next: to each client all that it receives of that, in one write. */
  *#sendNext(): Steps<boolean> {
    const outgoing = new Outgoing()
    const { events } = this.#sources.store
    const isBehind = this.#map.size > 0 || events.last() - this.#seq > behind
    const limit = isBehind ? largeBatch : batch
    const rows = events.after(this.#seq, limit)
    for (const row of rows) {
      // Closes connections that are sent what was before it.
      if (row.msg_type === 'replaced' && outgoing.payloads > 0) break
      this.#seq = row.seq
      if (isBehind && row.msg_type === 'map') this.#map.add(row)
      else this.#logged(() => this.#address(row, outgoing))
      if (outgoing.payloads >= sentAtOnce) break
    }
    const isMore = rows.length === limit || rows.some(({ seq }) => seq > this.#seq)
    for (const row of this.#map.take(isMore ? mapShare : mapBatch)) outgoing.add(row, this.#watching(row))
    for (const [subscriber, messages] of outgoing.bySubscriber) {
      if (this.#all.has(subscriber)) subscriber.sendAll(messages)
      yield
    }
    // Also what was stored between two of these steps: nothing else has it read.
    return events.last() > this.#seq || this.#map.size > 0
  }

  #address(row: EventRow, outgoing: Outgoing): void {
    if (row.msg_type === 'replaced') this.#closeReplaced(row)
    else outgoing.add(row, row.msg_type === 'map' ? this.#watching(row) : this.#present(row))
  }

  /** The connections of the user whom an event is for. */
  #present({ seq, user_id }: EventRow): Subscriber[] {
    return [...(this.#byUser.get(user_id) ?? [])].filter(
      (subscriber) => subscriber.since < seq && this.#isSignedIn(subscriber),
    )
  }

  /** The connections that show the place of an event on the map. */
  #watching({ seq, user_id, lat, lon }: EventRow): Subscriber[] {
    if (lat === null || lon === null) return []
    return [...this.#all].filter(
      ({ since, user, region }) => since < seq && user !== user_id && region && isIn(region, { lat, lon }),
    )
  }

  /** Clients then connect and read everything again. */
  #closeReplaced({ seq }: EventRow): void {
    for (const subscriber of this.#all)
      if (subscriber.since < seq) subscriber.close(closeCodes.replaced, 'all data was replaced')
  }

  /** Closes the connections of sessions that have ended, looking at them for some milliseconds in one turn of the event loop. */
  async #checkSessions(): Promise<void> {
    let isOver = beginTurn()
    for (const subscriber of [...this.#all]) {
      if (isOver()) {
        await nextTurn()
        isOver = beginTurn()
      }
      if (!this.#isOpen) return
      this.#logged(() => this.#isSignedIn(subscriber))
    }
  }

  /** Whether a subscriber's session still exists; if not, closes the connection. */
  #isSignedIn(subscriber: Subscriber): boolean {
    if (sessionUser({ session: subscriber.session, user_id: subscriber.user }, this.#sources)) return true
    subscriber.close(closeCodes.sessionEnded, 'the session has ended')
    this.remove(subscriber)
    return false
  }

  /** Logs a failure: what cannot be read now is read after the next change. */
  #logged(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#sources.log?.(`events: ${messageOf(error)}`)
    }
  }
}

/** What is to be sent, by the connections that receive it. */
class Outgoing {
  readonly bySubscriber = new Map<Subscriber, Message[]>()
  /** How many messages there are, each counted once. */
  payloads = 0

  add(row: EventRow, subscribers: readonly Subscriber[]): void {
    if (subscribers.length === 0) return
    const messages = messagesOf(row)
    this.payloads += messages.length
    for (const subscriber of subscribers) {
      const earlier = this.bySubscriber.get(subscriber)
      if (earlier) earlier.push(...messages)
      else this.bySubscriber.set(subscriber, [...messages])
    }
  }
}

const messagesOf = ({ msg_type, payload }: EventRow): Message[] =>
  msg_type === 'arrivals'
    ? arrivalPayloads(payload).map((one) => ({ type: 'inventory', payload: one }))
    : [{ type: msg_type, payload }]
