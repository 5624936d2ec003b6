import type { Operation } from '../../contract/api/table.ts'
import type { ConsoleRequest, KeptBody, KeptPart } from '../../contract/console.ts'
import { limits } from '../../contract/limits.ts'
import type { Removed } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { mapped } from '../domain/json-text.ts'
import {
  type Bodies,
  isSecretName,
  type Kept,
  type KeptBodies,
  shownBodies,
  withoutSecretValue,
  withoutTokens,
} from './kept-bodies.ts'
import { isPath, pathOf } from './path-pattern.ts'

/** A request that was answered, or whose connection a scenario dropped. */
export interface Recorded {
  readonly at: Date
  readonly method: string
  /** Path and query, as they came. */
  readonly url: string
  /** Null where the connection was dropped. */
  readonly status: number | null
  readonly milliseconds: number
  readonly requestId: string
  /** How often the journal had been restarted when it began. */
  readonly journal: number
  readonly operation?: Operation | undefined
  /** Application code of the error that was answered. */
  readonly error?: number | undefined
  /** Whether a scenario was applied to it. */
  readonly injected?: boolean | undefined
  /** Whether it was a dry run. */
  readonly dryRun?: boolean | undefined
  readonly removed?: Removed | undefined
  /** Id of the user who sent it. */
  readonly user?: string | undefined
  /** Whether the console sent it. */
  readonly console?: boolean | undefined
}

/** Which requests are looked for; each that is left out is any. */
export interface JournalQuery {
  readonly operation?: Operation | undefined
  readonly method?: string | undefined
  /** A path or a pattern, as in a scenario. */
  readonly path?: string | undefined
  readonly status?: number | undefined
  readonly user?: string | undefined
  /** How many of the newest. */
  readonly limit?: number | undefined
  /** `true` for what was sent and answered, too, as far as it is kept. */
  readonly bodies?: 'true' | undefined
}

/** A request as it is answered. */
export interface JournalRecord {
  readonly seq: number
  readonly when: string
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly milliseconds: number
  readonly request_id: string
  readonly operation?: Operation
  readonly user?: string
  readonly error?: number
  readonly injected?: boolean
  readonly dry_run?: boolean
  readonly removed?: Removed
  readonly sent?: KeptBody
  readonly parts?: readonly KeptPart[]
  readonly answered?: KeptBody
}

/** A request, with its bodies where they are kept. */
interface Entry {
  readonly request: Recorded
  readonly kept: Kept | undefined
}

/** The latest requests of the API, without headers and the secrets of a query; their bodies are for the console, and for tests that ask for them. */
export class Journal {
  #entries: Entry[] = []
  #count = 0
  #restarts = 0
  readonly #bodies: KeptBodies | undefined
  readonly #listeners = new Set<() => void>()

  /** Without `bodies`, none are kept. */
  constructor(bodies?: KeptBodies) {
    this.#bodies = bodies
  }

  /** Whether what was sent and answered is kept. */
  get keepsBodies(): boolean {
    return this.#bodies !== undefined
  }

  /**
   * Adds a request and drops the oldest; requests for the service's own routes, and those that began before a restart, are
   * left out, unless they removed data.
   */
  add(request: Recorded, bodies?: Bodies): void {
    if (!request.removed && (isOwnRoute(request.url) || request.journal !== this.#restarts)) return
    const url = withoutTokens(withoutValues(shortened(request.url), isLikeSecret))
    if (this.#entries.length >= 2 * limits.journal) this.#entries = this.#entries.slice(-limits.journal + 1)
    const kept = bodies && this.#bodies?.add(bodies)
    this.#entries.push({ request: url === request.url ? request : { ...request, url }, kept })
    this.#count++
    for (const listener of this.#listeners) listener()
  }

  /** The newest requests that fit, oldest first. */
  newest(query: JournalQuery = {}): JournalRecord[] {
    return [...this.each(query)]
  }

  /** The same, each of which is made when it is wanted. */
  each({ limit = limits.journal, bodies, ...wanted }: JournalQuery): Iterable<JournalRecord> {
    const entries = this.#entries.slice(-limits.journal)
    const before = this.#count - entries.length
    const found = entries.map((entry, index) => ({ entry, seq: before + index + 1 }))
    const fitting = found.filter(({ entry }) => fits(wanted, entry.request)).slice(-limit)
    return mapped(fitting, ({ entry, seq }) => ({
      ...recordOf(entry.request, seq),
      ...(bodies && shownBodies(entry.kept)),
    }))
  }

  /** The requests after a number, oldest first, as the console shows them; each is made when it is wanted. */
  after(seq: number): Iterable<ConsoleRequest> {
    const count = Math.min(this.#count - seq, limits.journal, this.#entries.length)
    const entries = count > 0 ? this.#entries.slice(-count) : []
    const before = this.#count - entries.length
    return mapped(entries.entries(), ([index, { request, kept }]) => ({
      ...recordOf(request, before + index + 1),
      ...(request.console && { console: true }),
      ...shownBodies(kept),
    }))
  }

  /** The number of the latest request. */
  get last(): number {
    return this.#count
  }

  /** Calls a function after each request, and when all are removed. The returned function ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** How often it was restarted. */
  get restarts(): number {
    return this.#restarts
  }

  /** Removes every request, those that are under way included. */
  restart(): void {
    this.#restarts++
    this.clear()
  }

  /** Removes every request; numbers continue after the last one. */
  clear(): void {
    this.#entries = []
    this.#bodies?.clear()
    for (const listener of this.#listeners) listener()
  }
}

/** Whether a request is one that is looked for. */
const fits = ({ operation, method, path, status, user }: JournalQuery, entry: Recorded): boolean =>
  (operation === undefined || operation === entry.operation) &&
  (method === undefined || method === entry.method) &&
  (path === undefined || isPath(path, pathOf(entry.url))) &&
  (status === undefined || status === entry.status) &&
  (user === undefined || user === entry.user)

const recordOf = ({ at, url, requestId, milliseconds, ...entry }: Recorded, seq: number): JournalRecord => ({
  seq,
  when: timestamp(at),
  method: entry.method,
  // Which fields of the API are secret takes long to find out the first time.
  path: withoutValues(url, isSecretName),
  status: entry.status,
  milliseconds: Math.round(milliseconds * 10) / 10,
  request_id: requestId,
  ...(entry.operation && { operation: entry.operation }),
  ...(entry.user !== undefined && { user: entry.user }),
  ...(entry.error !== undefined && { error: entry.error }),
  ...(entry.injected && { injected: true }),
  ...(entry.dryRun && { dry_run: true }),
  ...(entry.removed && { removed: entry.removed }),
})

const ownRoute = /^\/__vatom(?:[/?]|$)/
/** Whether a request is for a route of the local service beyond the API, which has one spelling: proxies compare it. */
export const isOwnRoute = (url: string): boolean => ownRoute.test(url)

const secretPart = /token|password|secret|auth|signature|api_?key|jwt|^key$/i
/** Whether a name seems to be one of a secret: clients may send others than the fields of the API. */
const isLikeSecret = (name: string): boolean => secretPart.test(name)

const shortened = (url: string): string =>
  url.length > limits.journalUrl ? `${url.slice(0, limits.journalUrl)}…` : url

/** A URL without the values in its query whose names are those of secrets. */
function withoutValues(url: string, isSecret: (name: string) => boolean): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const fields = url.slice(at + 1).split('&')
  return `${url.slice(0, at)}?${fields.map((field) => withoutSecretValue(field, isSecret)).join('&')}`
}
