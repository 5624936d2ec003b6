import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '../contract/limits.ts'
import { pageKeyHeader, pageSessionHeader } from '../contract/page-session.ts'

/** The most links that wait to be used. */
const mostKeys = 100

/** A session of a browser. */
interface BrowserSession {
  readonly isValid: () => boolean
  readonly end: () => void
}

/** One that has begun, and those of the same beginner by the hashes of their tokens, the one not used for longest first. */
interface Begun<S> {
  readonly session: S
  readonly line: Set<string>
}

/** Links that can be used once, and the sessions of browsers that have used one or signed in. All end with the process. */
export class SignIn<S extends BrowserSession> {
  readonly #keys = new Set<string>()
  /** By hashes of their tokens, so that looking one up takes the same time for every guess. */
  readonly #sessions = new Map<string, Begun<S>>()
  /** By who began them: few, such as the publishers of a service. */
  readonly #lines = new Map<string, Set<string>>()

  /** A key for a link, which can be used once. */
  newKey(): string {
    const key = random()
    const [oldest] = this.#keys
    if (this.#keys.size >= mostKeys && oldest !== undefined) this.#keys.delete(oldest)
    this.#keys.add(key)
    return key
  }

  /** Uses up the key that a request has; false for one that is unknown or was used. */
  useKey({ [pageKeyHeader]: key }: IncomingHttpHeaders): boolean {
    return typeof key === 'string' && this.#keys.delete(key)
  }

  /**
   * Begins a session of somebody, which ends once it is no longer valid; answers its token. Of as many as one may have, the
   * one ends that was not used for longest.
   */
  begin(session: S, by = ''): string {
    const line = this.#lines.get(by) ?? new Set()
    this.#lines.set(by, line)
    if (line.size >= limits.pageSessions) this.#makeRoom(line)
    const token = random()
    const key = hash(token)
    this.#sessions.set(key, { session, line })
    line.add(key)
    return token
  }

  /** Forgets those of a line that have ended by themselves; where none has, ends the one that was not used for longest. */
  #makeRoom(line: ReadonlySet<string>): void {
    const ended = [...line].filter((key) => !this.#sessions.get(key)?.session.isValid())
    for (const key of ended.length > 0 ? ended : [...line].slice(0, 1)) this.#end(key)
  }

  #end(key: string): void {
    const begun = this.#sessions.get(key)
    this.#sessions.delete(key)
    begun?.line.delete(key)
    begun?.session.end()
  }

  /** The session whose token a request has; undefined if it has ended. */
  sessionOf({ [pageSessionHeader]: token }: IncomingHttpHeaders): S | undefined {
    const key = typeof token === 'string' ? hash(token) : ''
    const begun = this.#sessions.get(key)
    if (!begun?.session.isValid()) return undefined
    begun.line.delete(key)
    begun.line.add(key)
    return begun.session
  }
}

const random = () => randomBytes(24).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
