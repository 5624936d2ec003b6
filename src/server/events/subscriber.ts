import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { ZodError } from 'zod/v4'
import type { ScenarioEffect } from '../../contract/api/scenario.ts'
import { MonitorCommand } from '../../contract/api/socket.ts'
import { limits } from '../../contract/limits.ts'
import { schemaIssues } from '../../contract/schema/issues.ts'
import { at, nestsDeeper } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { refusal } from '../domain/refusal.ts'
import type { Position } from '../store/vatoms/positions.ts'
import { closeCodes } from './close-codes.ts'
import { DelayedWork } from './delayed-work.ts'
import type { Visitor } from './visitor.ts'

/** Most characters of an id that an answer repeats. */
const longestId = 256

/** A message to a client: what kind it is, and its payload as JSON text. */
export interface Message {
  readonly type: string
  readonly payload: string
}

/** What a scenario does to a message to a user; undefined where it is sent as it is. */
export type MessageEffects = (user: string, message: Message) => ScenarioEffect | undefined

/** A connection that can collect what is written to it. */
type Corked = Pick<Duplex, 'cork' | 'uncork'>

/** A user's connection, and the part of the map that its client shows. */
export class Subscriber implements Visitor {
  /** The number of the last event before it began. */
  since = 0
  region: Region | undefined
  /** The region as the client asked for it. */
  watched: MonitorCommand['payload'] | undefined
  readonly user: string
  readonly session: string
  readonly place: string
  readonly isFirst: boolean
  readonly #socket: WebSocket
  readonly #connection: Corked
  readonly #effects: MessageEffects
  readonly #delayed = new DelayedWork()
  #isAlive = true
  /** Messages since the last command that were none. */
  #refused = 0

  /** `connection` is what the WebSocket is on. */
  constructor(
    socket: WebSocket,
    connection: Corked,
    { user, session, place, isFirst }: Visitor,
    effects: MessageEffects = () => undefined,
  ) {
    this.#socket = socket
    this.#connection = connection
    this.user = user
    this.session = session
    this.place = place
    this.isFirst = isFirst
    this.#effects = effects
    const alive = () => {
      this.#isAlive = true
    }
    socket.on('pong', alive)
    socket.on('message', alive)
  }

  /** Bytes that the client has not read yet. */
  get unread(): number {
    return this.#socket.bufferedAmount + this.#delayed.size
  }

  /** Sends a message whose payload is JSON text; drops a client that reads too slowly. */
  send(type: string, payload: string): void {
    if (this.unread > limits.socketUnread) {
      this.drop()
      return
    }
    const { latency_ms = 0, ...effect } = this.#effects(this.user, { type, payload }) ?? {}
    const bytes = () => Buffer.byteLength(payload)
    this.#delayed.run(latency_ms, bytes, () => this.#sendAs(effect, { type, payload }))
  }

  #sendAs({ drop, close, omit, message, payload: other }: ScenarioEffect, { type, payload }: Message): void {
    const content = other === undefined ? payload : JSON.stringify(other)
    if (drop) this.drop()
    else if (close !== undefined) this.close(close, 'a scenario')
    else if (!omit) this.#socket.send(message ?? `{"msg_type":"${type}","payload":${content},"user_id":"${this.user}"}`)
  }

  /** The same for several messages, in one write. */
  sendAll(messages: readonly Message[]): void {
    this.#connection.cork()
    for (const { type, payload } of messages) this.send(type, payload)
    this.#connection.uncork()
  }

  /** Pings the client, and drops one that has sent nothing since the ping before. */
  ping(): void {
    if (this.#isAlive) this.#socket.ping()
    else this.drop()
    this.#isAlive = false
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  drop(): void {
    this.#socket.terminate()
  }

  /** Carries out a message of the client, or answers what is wrong with it. */
  receive(text: string): void {
    try {
      const message = parsed(text)
      const { data, error } = MonitorCommand().safeParse(message)
      if (data) this.#watch(data.payload)
      else this.#refuse(message, error)
    } catch {
      this.drop()
    }
  }

  #refuse(message: unknown, error: ZodError): void {
    this.send('error', JSON.stringify({ id: idIn(message), message: problemOf(message, error) }))
    this.#refused++
    if (this.#refused >= limits.socketRefused) this.close(closeCodes.misused, 'too many messages that are no command')
  }

  #watch(region: MonitorCommand['payload']): void {
    this.#refused = 0
    this.watched = region
    this.region = regionOf(region)
  }
}

/** What is wrong with a message of a client. */
function problemOf(message: unknown, error: ZodError): string {
  if (at(message, 'type') !== 'command' || at(message, 'cmd') !== 'monitor') return 'monitor is the only command'
  return refusal('invalid', schemaIssues(MonitorCommand(), message, error)).message
}

/** The id of a message, for its answer; undefined if it has none, or a long one. */
function idIn(message: unknown): string | number | undefined {
  const id = at(message, 'id')
  return typeof id === 'number' || (typeof id === 'string' && id.length <= longestId) ? id : undefined
}

/** A message as JSON; undefined where it is none, or is nested too deeply. */
function parsed(text: string): unknown {
  const message = parseJson(text)
  return nestsDeeper(message, limits.depth) ? undefined : message
}

/** A part of the map. */
export interface Region {
  readonly north: number
  readonly south: number
  readonly west: number
  /** Degrees from the west side to the east side; 360 and more is all around. */
  readonly width: number
}

/** The region of a command; one whose west side is east of its east side crosses the antimeridian. */
export function regionOf({ top_left, bottom_right }: MonitorCommand['payload']): Region {
  const width = bottom_right.lon - top_left.lon
  return {
    north: Math.max(top_left.lat, bottom_right.lat),
    south: Math.min(top_left.lat, bottom_right.lat),
    west: top_left.lon,
    width: width < 0 ? around(width) : width,
  }
}

/** Whether a place is in a region or on its edge. */
export const isIn = ({ north, south, west, width }: Region, { lat, lon }: Position): boolean =>
  lat <= north && lat >= south && around(lon - west) <= width

/** An angle from 0 to below 360 degrees. */
const around = (degrees: number): number => ((degrees % 360) + 360) % 360
