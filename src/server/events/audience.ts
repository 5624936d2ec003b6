import { sessionUser } from '../auth/sessions.ts'
import type { Environment } from '../environment.ts'
import type { EventRow } from '../store/events.ts'
import { arrivalPayloads } from './arrival.ts'
import { dropSlowest, unreadMost } from './backlog.ts'
import type { Member } from './member.ts'
import { isIn } from './region.ts'

/** Rows that are told at once, before others have their turn. */
const batch = 32
/** Milliseconds between two questions whether a client is there. */
const heartbeat = 30_000
/** Milliseconds that clients have to say goodbye in. */
const grace = 1000

/** Why connections are closed, as RFC 6455 numbers it. */
const leaving = { closing: 1001, sessionEnded: 1008, replaced: 1012 } as const

type Sources = Pick<Environment, 'store' | 'clock' | 'localSession' | 'log'>

/** Those who are connected, each of whom is told what concerns them in the order it happened. */
export class Audience {
  readonly #sources: Sources
  readonly #members = new Set<Member>()
  readonly #byUser = new Map<string, Set<Member>>()
  #seq = 0
  #isOpen = false
  #isReading = false
  #sweep: NodeJS.Timeout | undefined
  #end = () => {}

  constructor(sources: Sources) {
    this.#sources = sources
  }

  get size(): number {
    return this.#members.size
  }

  /** How often a user is there. */
  sizeOf(user: string): number {
    return this.#byUser.get(user)?.size ?? 0
  }

  /** Tells someone what happens from now on, until they leave. */
  join(member: Member): void {
    member.since = this.#sources.store.events.last()
    if (this.#members.size === 0) this.#begin(member.since)
    this.#members.add(member)
    this.#byUser.set(member.user, (this.#byUser.get(member.user) ?? new Set()).add(member))
  }

  leave(member: Member): void {
    const others = this.#byUser.get(member.user)
    others?.delete(member)
    if (others?.size === 0) this.#byUser.delete(member.user)
    if (this.#members.delete(member) && this.#members.size === 0) this.#end()
  }

  /** Drops the slowest of those who are there, if too much waits to be read. */
  relieve(): void {
    dropSlowest(this.#members, unreadMost)
  }

  /** Says goodbye to everybody, who are told nothing any more. */
  close(): void {
    this.#end()
    for (const member of this.#members) member.close(leaving.closing, 'the service is closing')
    setTimeout(() => {
      for (const member of this.#members) member.drop()
    }, grace).unref()
  }

  /** Nothing is looked at while nobody is there. */
  #begin(seq: number): void {
    this.#seq = seq
    this.#isOpen = true
    const unwatch = this.#sources.store.watch(() => this.#changed())
    const beat = setInterval(() => {
      this.#checkSessions()
      for (const member of this.#members) member.beat()
    }, heartbeat).unref()
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
    // Looking takes microseconds a member: a millisecond for each lets further changes come together.
    this.#sweep ??= setTimeout(() => {
      this.#sweep = undefined
      this.#checkSessions()
    }, this.#members.size).unref()
  }

  #readSoon(): void {
    if (this.#isReading) return
    this.#isReading = true
    setImmediate(() => {
      this.#isReading = false
      if (this.#isOpen) this.#guarded(() => this.#read())
    })
  }

  #read(): void {
    const rows = this.#sources.store.events.after(this.#seq, batch)
    for (const row of rows) {
      this.#seq = row.seq
      this.#tell(row)
    }
    this.relieve()
    if (rows.length === batch) this.#readSoon()
  }

  #tell(row: EventRow): void {
    if (row.msg_type === 'map') this.#tellMap(row)
    else if (row.msg_type === 'replaced') this.#tellReplaced(row)
    else this.#tellUser(row)
  }

  #tellUser({ seq, msg_type, user_id, payload }: EventRow): void {
    const members = [...(this.#byUser.get(user_id) ?? [])].filter(({ since }) => since < seq)
    const present = members.filter((member) => this.#isStillIn(member))
    if (present.length === 0) return
    const [type, payloads] = msg_type === 'arrivals' ? ['inventory', arrivalPayloads(payload)] : [msg_type, [payload]]
    for (const member of present) for (const one of payloads) member.send(type, one)
  }

  #tellMap({ seq, msg_type, user_id, payload, lat, lon }: EventRow): void {
    if (lat === null || lon === null) return
    for (const member of this.#members)
      if (member.since < seq && member.user !== user_id && member.region && isIn(member.region, { lat, lon }))
        member.send(msg_type, payload)
  }

  /** Who connects again asks for everything again. */
  #tellReplaced({ seq }: EventRow): void {
    for (const member of this.#members)
      if (member.since < seq) member.close(leaving.replaced, 'everything was replaced')
  }

  #checkSessions(): void {
    this.#guarded(() => {
      for (const member of this.#members) this.#isStillIn(member)
    })
  }

  /** Whether a member's session goes on; else the connection is closed. */
  #isStillIn(member: Member): boolean {
    if (sessionUser({ session: member.session, user_id: member.user }, this.#sources)) return true
    member.close(leaving.sessionEnded, 'the session has ended')
    this.leave(member)
    return false
  }

  /** What cannot be read now is read after the next change. */
  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#sources.log?.(`events: ${error instanceof Error ? error.message : error}`)
    }
  }
}
