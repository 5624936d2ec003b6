import { createHash, randomBytes } from 'node:crypto'

/** The most links that wait to be used. */
const mostKeys = 100

/** Links that can be used once, and the sessions of browsers that have used one or signed in. All end with the process. */
export class SignIn {
  readonly #cookie: string
  readonly #keys = new Set<string>()
  /** Whether each is still valid, by their hashes, so that looking one up takes the same time for every guess. */
  readonly #sessions = new Map<string, () => boolean>()

  constructor(cookie: string) {
    this.#cookie = cookie
  }

  /** A key for a link, which can be used once. */
  newKey(): string {
    const key = random()
    const [oldest] = this.#keys
    if (this.#keys.size >= mostKeys && oldest !== undefined) this.#keys.delete(oldest)
    this.#keys.add(key)
    return key
  }

  /** Uses a key up; false for one that is unknown or was used. */
  useKey(key: string): boolean {
    return this.#keys.delete(key)
  }

  /** Begins a session, which ends once it is no longer valid; answers the value of the header Set-Cookie. */
  begin(isValid: () => boolean = () => true): string {
    const session = random()
    this.#sessions.set(hash(session), isValid)
    return `${this.#cookie}=${session}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** Whether a header Cookie names a session. */
  isKnown(header = ''): boolean {
    return this.#sent(header).some((session) => this.#sessions.get(session)?.() === true)
  }

  /** Ends the session that a header Cookie names. */
  end(header = ''): void {
    for (const session of this.#sent(header)) this.#sessions.delete(session)
  }

  #sent(header: string): string[] {
    const prefix = `${this.#cookie}=`
    const pairs = header.split(/;\s*/).filter((pair) => pair.startsWith(prefix))
    return pairs.map((pair) => hash(pair.slice(prefix.length)))
  }
}

const random = () => randomBytes(24).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * The headers that exchange a link for a session. The browser then loads the page by itself: after a redirection of a
 * link on another page it would not send the cookie.
 */
export const enteredHeaders = (cookie: string, page: string) => ({
  'Set-Cookie': cookie,
  // Not in a sandbox, from which the browser would not send the cookie either.
  'Content-Security-Policy': "default-src 'none'",
  'Cache-Control': 'no-store',
  Refresh: `0; url=${page}`,
})
