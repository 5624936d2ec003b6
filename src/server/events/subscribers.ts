import { limits } from '../../contract/limits.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import type { ProcessSessions } from '../auth/process-sessions.ts'
import { type Sessions, sessionUser } from '../auth/sessions.ts'
import type { AnnouncedEvent, SentEvent } from '../store/events.ts'
import { inNextTurn, nextTurn } from '../store/next-turn.ts'
import { replacedBy } from '../store/shared-places.ts'
import { beginTurn, type Steps } from '../store/slices.ts'
import { TimedLines } from '../store/timed-lines.ts'
import { dropSlowest } from '../unread.ts'
import { closeCodes } from './close-codes.ts'
import { MapEvents, mapBatch } from './map-events.ts'
import { bySubscriber, type Outgoing, outgoing, sendsOf } from './outgoing.ts'
import { isIn, type Subscriber } from './subscriber.ts'
import type { Visitor } from './visitor.ts'

/** Stored events of which is read at a time for whom they are. */
const readAtOnce = 500
/** Events of users that are sent at a time, and messages, each counted for every connection, after which none is added. */
const sentAtOnce = { events: 64, messages: 500 }
/** Events of the map that are sent at a time while those of users wait, in place of `mapBatch`. */
const mapShare = 8

/** The part of the memory that may be taken by what clients have not read. */
const unreadShare = 1 / 4

/** Why the connection of one client is ended, as it is told. */
const endings = {
  sessionEnded: 'the session has ended',
  replaced: 'all data was replaced',
  missed: 'events were missed: connect again and read everything again',
  full: 'others need the place: try again later',
} as const
type Ending = keyof typeof endings

/** Where events and sessions are read, and failures are logged. */
export interface Sources extends Sessions {
  readonly processSessions: Pick<ProcessSessions, 'byId' | 'onEnd'>
  readonly log: ((line: string) => void) | undefined
  /** Bytes that the service may take. */
  readonly memory: number
  /** Connections of clients that may be open at once. */
  readonly connections: number
}

/** A connected user, in whose line events wait as long as one of their connections is open. */
interface Recipient {
  readonly line: readonly string[]
  readonly connections: Set<Subscriber>
}

/** The number of the last event before the first of the connections of a recipient began; infinite without any. */
const sinceOf = ({ connections }: Recipient): number => Math.min(...[...connections].map(({ since }) => since))

/** An event that is not sent yet. */
interface Waiting {
  readonly seq: number
  readonly recipient: Recipient
}

/**
 * All connected clients; each is sent the events that concern its user, in their order. Addresses share the time, and so do
 * the users of each: nobody waits for all that another is sent.
 */
export class Subscribers {
  readonly #sources: Sources
  readonly #all = new Set<Subscriber>()
  readonly #byUser = new Map<string, Recipient>()
  readonly #waiting = new TimedLines<Waiting>()
  readonly #map = new MapEvents()
  /** The number of the last event that was read. */
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
    const own = this.#byUser.get(visitor.user)?.connections.size ?? 0
    if (own >= limits.socketsOfUser) return `you have ${limits.socketsOfUser} connections already`
    return this.#isFull() && !replacedBy(visitor, this.#all) ? 'it is full' : undefined
  }

  /** Sends a subscriber all events from now on, until `remove`. If there is no place, that of another is theirs. */
  add(subscriber: Subscriber): void {
    const replaced = this.#isFull() && replacedBy(subscriber, this.#all)
    if (replaced) this.#closeFor('full', replaced)
    subscriber.since = this.#sources.store.events.last()
    if (this.#all.size === 0) this.#begin(subscriber.since)
    this.#all.add(subscriber)
    const { user, place } = subscriber
    const recipient = this.#byUser.get(user) ?? { line: [place, user], connections: new Set() }
    recipient.connections.add(subscriber)
    this.#byUser.set(user, recipient)
  }

  remove(subscriber: Subscriber): void {
    const recipient = this.#byUser.get(subscriber.user)
    if (recipient) this.#removeFrom(recipient, subscriber)
    if (this.#all.delete(subscriber) && this.#all.size === 0) this.#end()
  }

  /** What none of their other connections receives leaves the line. */
  #removeFrom(recipient: Recipient, subscriber: Subscriber): void {
    const { connections, line } = recipient
    connections.delete(subscriber)
    if (connections.size === 0) this.#byUser.delete(subscriber.user)
    const since = sinceOf(recipient)
    this.#waiting.drop(line, ({ seq }) => seq <= since)
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

  /** Sends what is next: to each client all that it receives of that, in one write. */
  *#sendNext(): Steps<boolean> {
    yield* this.#readAhead()
    for (const [subscriber, messages] of bySubscriber([...this.#nextOfUsers(), ...this.#nextOfMap()])) {
      if (this.#all.has(subscriber)) this.#logged(() => subscriber.sendAll(messages))
      yield
    }
    // Also what was stored between two of these steps: nothing else has it read.
    return this.#waiting.size > 0 || this.#map.size > 0 || this.#sources.store.events.announced(this.#seq, 1).length > 0
  }

  /** Reads for whom those events are that were stored. */
  *#readAhead(): Steps<void> {
    for (;;) {
      const announced = this.#sources.store.events.announced(this.#seq, readAtOnce)
      for (const event of announced) this.#putInLine(event)
      if (announced.length < readAtOnce) return
      yield
    }
  }

  #putInLine({ map, ...event }: AnnouncedEvent): void {
    const { seq, msg_type, user_id } = event
    if (seq > this.#seq + 1) this.#closeBefore('missed', seq - 1)
    this.#seq = seq
    if (msg_type === 'replaced') this.#closeBefore('replaced', seq)
    else if (map !== null) this.#map.add({ ...event, payload: map })
    else this.#putInLineOf(this.#byUser.get(user_id), seq)
  }

  /** Nobody waits for what is for a user who is not connected, or was not before it. */
  #putInLineOf(recipient: Recipient | undefined, seq: number): void {
    if (recipient && sinceOf(recipient) < seq) this.#waiting.push(recipient.line, { seq, recipient })
  }

  /** The next events of users. */
  #nextOfUsers(): Outgoing[] {
    const taken: Outgoing[] = []
    for (let messages = 0; taken.length < sentAtOnce.events && messages < sentAtOnce.messages; ) {
      const next = this.#waiting.shift()
      if (!next) break
      const event = this.#addressed(next.item)
      const sends = sendsOf(event)
      next.took(Math.max(sends, 1))
      messages += sends
      taken.push(event)
    }
    return taken
  }

  /** An event, and who receives it. Where it cannot be read any more, their connections are closed. */
  #addressed({ seq, recipient }: Waiting): Outgoing {
    const to = [...recipient.connections].filter(({ since }) => since < seq)
    const event = this.#logged(() => this.#readFor(to, seq))
    if (event) return event
    for (const subscriber of to) this.#closeFor('missed', subscriber)
    return { seq, messages: [], to: [] }
  }

  #readFor(to: readonly Subscriber[], seq: number): Outgoing | undefined {
    const row = this.#sources.store.events.at(seq)
    if (!row) return undefined
    const signedIn = to.filter((subscriber) => this.#isSignedIn(subscriber))
    return outgoing(row, signedIn)
  }

  /** The next events of the map. */
  #nextOfMap(): Outgoing[] {
    const rows = this.#map.take(this.#waiting.size > 0 ? mapShare : mapBatch)
    return rows.map((row) => outgoing(row, this.#watching(row)))
  }

  /** The connections that show the place of an event on the map. */
  #watching({ seq, user_id, lat, lon }: SentEvent): Subscriber[] {
    if (lat === null || lon === null) return []
    return [...this.#all].filter(
      ({ since, user, region }) => since < seq && user !== user_id && region && isIn(region, { lat, lon }),
    )
  }

  /** Closes the connections that began before an event. */
  #closeBefore(why: Ending, seq: number): void {
    for (const subscriber of this.#all) if (subscriber.since < seq) this.#closeFor(why, subscriber)
  }

  #closeFor(why: Ending, subscriber: Subscriber): void {
    subscriber.close(closeCodes[why], endings[why])
    this.remove(subscriber)
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
    this.#closeFor('sessionEnded', subscriber)
    return false
  }

  /** Logs a failure. What cannot be read now is read after the next change, or those who do not receive it are told. */
  #logged<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.#sources.log?.(`events: ${messageOf(error)}`)
      return undefined
    }
  }
}
