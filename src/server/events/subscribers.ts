import { limits } from '../../contract/limits.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { type Sessions, sessionUser } from '../auth/sessions.ts'
import { arrivalPayloads } from '../domain/events.ts'
import type { EventRow } from '../store/events.ts'
import { dropSlowest } from '../unread.ts'
import { isIn, type Subscriber } from './subscriber.ts'

/** Events that are read at a time. */
const batch = 32
/** Messages after which no further event is sent in one turn of the event loop: all of them take some milliseconds. */
const sentAtOnce = 500
/** Milliseconds that clients have to confirm that a connection is closed. */
const grace = 1000

/** The part of the memory that may be taken by what clients have not read. */
const unreadShare = 1 / 4

/** Close codes of RFC 6455, by the reason. */
const leaving = { closing: 1001, sessionEnded: 1008, replaced: 1012 } as const

/** Where events and sessions are read, and failures are logged. */
export interface Sources extends Sessions {
  readonly log: ((line: string) => void) | undefined
  /** Bytes that the service may take. */
  readonly memory: number
}

/** All connected clients; each is sent the events that concern its user, in their order. */
export class Subscribers {
  readonly #sources: Sources
  readonly #all = new Set<Subscriber>()
  readonly #byUser = new Map<string, Set<Subscriber>>()
  #seq = 0
  #isOpen = false
  #isReading = false
  #sweep: NodeJS.Timeout | undefined
  #end = () => {}

  constructor(sources: Sources) {
    this.#sources = sources
  }

  get size(): number {
    return this.#all.size
  }

  /** How many connections a user has. */
  sizeOf(user: string): number {
    return this.#byUser.get(user)?.size ?? 0
  }

  /** Sends a subscriber all events from now on, until `remove`. */
  add(subscriber: Subscriber): void {
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
    for (const subscriber of this.#all) subscriber.close(leaving.closing, 'the service is closing')
    setTimeout(() => {
      for (const subscriber of this.#all) subscriber.drop()
    }, grace).unref()
  }

  /** The database is watched only while somebody is connected. */
  #begin(seq: number): void {
    this.#seq = seq
    this.#isOpen = true
    const unwatch = this.#sources.store.watch(() => this.#changed())
    const beat = setInterval(() => {
      this.#checkSessions()
      for (const subscriber of this.#all) subscriber.ping()
    }, limits.socketPing).unref()
    this.#end = () => {
      this.#isOpen = false
      unwatch()
      clearInterval(beat)
      clearTimeout(this.#sweep)
      this.#sweep = undefined
    }
  }

  #changed(): void {
    this.#readSoon()
    // A check takes microseconds for each subscriber: with a delay of a millisecond for each, it serves many changes.
    this.#sweep ??= setTimeout(() => {
      this.#sweep = undefined
      this.#checkSessions()
    }, this.#all.size).unref()
  }

  #readSoon(): void {
    if (this.#isReading) return
    this.#isReading = true
    setImmediate(() => {
      this.#isReading = false
      if (this.#isOpen) this.#logged(() => this.#read())
    })
  }

  #read(): void {
    const rows = this.#sources.store.events.after(this.#seq, batch)
    let sent = 0
    for (const row of rows) {
      if (sent >= sentAtOnce) break
      this.#seq = row.seq
      sent += this.#publish(row)
    }
    this.relieve()
    if (rows.length === batch || sent >= sentAtOnce) this.#readSoon()
  }

  /** Returns how many messages were sent. */
  #publish(row: EventRow): number {
    if (row.msg_type === 'map') return this.#sendToMaps(row)
    if (row.msg_type === 'replaced') return this.#closeReplaced(row)
    return this.#sendToUser(row)
  }

  #sendToUser({ seq, msg_type, user_id, payload }: EventRow): number {
    const subscribers = [...(this.#byUser.get(user_id) ?? [])].filter(({ since }) => since < seq)
    const present = subscribers.filter((subscriber) => this.#isSignedIn(subscriber))
    if (present.length === 0) return 0
    const [type, payloads] = msg_type === 'arrivals' ? ['inventory', arrivalPayloads(payload)] : [msg_type, [payload]]
    for (const subscriber of present) for (const one of payloads) subscriber.send(type, one)
    return present.length * payloads.length
  }

  #sendToMaps({ seq, msg_type, user_id, payload, lat, lon }: EventRow): number {
    if (lat === null || lon === null) return 0
    const watching = [...this.#all].filter(
      ({ since, user, region }) => since < seq && user !== user_id && region && isIn(region, { lat, lon }),
    )
    for (const subscriber of watching) subscriber.send(msg_type, payload)
    return watching.length
  }

  /** Clients then connect and read everything again. */
  #closeReplaced({ seq }: EventRow): number {
    const before = [...this.#all].filter(({ since }) => since < seq)
    for (const subscriber of before) subscriber.close(leaving.replaced, 'all data was replaced')
    return before.length
  }

  #checkSessions(): void {
    this.#logged(() => {
      for (const subscriber of this.#all) this.#isSignedIn(subscriber)
    })
  }

  /** Whether a subscriber's session still exists; if not, closes the connection. */
  #isSignedIn(subscriber: Subscriber): boolean {
    if (sessionUser({ session: subscriber.session, user_id: subscriber.user }, this.#sources)) return true
    subscriber.close(leaving.sessionEnded, 'the session has ended')
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
