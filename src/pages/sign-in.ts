import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { pageKeyHeader, pageSessionHeader } from '../contract/page-session.ts'

/** The most links that wait to be used. */
const mostKeys = 100

/** A session of a browser. */
interface BrowserSession {
  readonly isValid: () => boolean
}

/** Links that can be used once, and the sessions of browsers that have used one or signed in. All end with the process. */
export class SignIn<S extends BrowserSession> {
  readonly #keys = new Set<string>()
  /** By hashes of their tokens, so that looking one up takes the same time for every guess. */
  readonly #sessions = new Map<string, S>()

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

  /** Begins a session, which ends once it is no longer valid; answers its token. Those that have ended are forgotten. */
  begin(session: S): string {
    for (const [key, other] of this.#sessions) if (!other.isValid()) this.#sessions.delete(key)
    const token = random()
    this.#sessions.set(hash(token), session)
    return token
  }

  /** The session whose token a request has; undefined if it has ended. */
  sessionOf({ [pageSessionHeader]: token }: IncomingHttpHeaders): S | undefined {
    const session = typeof token === 'string' ? this.#sessions.get(hash(token)) : undefined
    return session?.isValid() ? session : undefined
  }
}

const random = () => randomBytes(24).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
