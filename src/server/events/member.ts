import type { WebSocket } from 'ws'
import type { ZodError } from 'zod/v4'
import { MonitorCommand } from '../../contract/bodies/monitor-command.ts'
import { limits } from '../../contract/limits.ts'
import { schemaIssues } from '../../contract/schema/issues.ts'
import { at, nestsDeeper } from '../../contract/schema/path.ts'
import { refusal } from '../domain/refusal.ts'
import { type Region, regionOf } from './region.ts'

/** Bytes that may wait for a client to read them. */
const most = 4 * 2 ** 20
/** Characters of an id that is answered. */
const longestId = 256

/** A user's connection. */
export class Member {
  /** The last event from before it was there. */
  since = 0
  /** What its client looks at on the map. */
  region: Region | undefined
  readonly user: string
  readonly session: string
  readonly #socket: WebSocket
  #isAlive = true

  constructor(socket: WebSocket, user: string, session: string) {
    this.#socket = socket
    this.user = user
    this.session = session
    const heard = () => {
      this.#isAlive = true
    }
    socket.on('pong', heard)
    socket.on('message', (data, isBinary) => {
      heard()
      try {
        this.#obey(isBinary ? '' : data.toString())
      } catch {
        this.drop()
      }
    })
  }

  /** Bytes that wait for the client to read them. */
  get unread(): number {
    return this.#socket.bufferedAmount
  }

  /** Sends a message whose payload is JSON text; a client that does not read what it is sent is dropped. */
  send(type: string, payload: string): void {
    if (this.unread > most) this.drop()
    else this.#socket.send(`{"msg_type":"${type}","payload":${payload},"user_id":"${this.user}"}`)
  }

  /** Asks whether the client is there, and drops one that was asked before and has said nothing since. */
  beat(): void {
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

  #obey(text: string): void {
    const said = parsed(text)
    const { data, error } = MonitorCommand().safeParse(said)
    if (data) this.region = regionOf(data.payload)
    else this.send('error', JSON.stringify({ id: idIn(said), message: whyNot(said, error) }))
  }
}

/** What is wrong with what a client said. */
function whyNot(said: unknown, error: ZodError): string {
  if (at(said, 'type') !== 'command' || at(said, 'cmd') !== 'monitor') return 'only the command monitor is understood'
  return refusal('invalid', schemaIssues(MonitorCommand(), said, error)).message
}

/** The id that a message gives itself, for its answer; one that is no id, or a long one, is not answered. */
function idIn(said: unknown): string | number | undefined {
  const id = at(said, 'id')
  return typeof id === 'number' || (typeof id === 'string' && id.length <= longestId) ? id : undefined
}

/** What nests too deeply is nothing that is understood. */
function parsed(text: string): unknown {
  try {
    const said: unknown = JSON.parse(text)
    return nestsDeeper(said, limits.depth) ? undefined : said
  } catch {
    return undefined
  }
}
