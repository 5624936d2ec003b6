import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { previewPaths } from '../../contract/preview.ts'

/** An answer that is not a stream. */
export interface Answer {
  readonly status: number
  readonly type?: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** Lets browsers in that have used a link of this run, and no page of elsewhere. */
export class Door {
  readonly #origin: URL
  readonly #cookie: string
  readonly #session = randomBytes(24).toString('base64url')
  readonly #keys = new Set<string>()

  constructor(origin: string) {
    this.#origin = new URL(origin)
    // A browser sends cookies to all ports of a host.
    this.#cookie = `vatom_preview_${this.#origin.port}`
  }

  /** A link to the page, which can be used once. */
  newLink(): string {
    const key = randomBytes(24).toString('base64url')
    this.#keys.add(key)
    return `${this.#origin.origin}${previewPaths.page}?key=${key}`
  }

  /** The answer to a request that is not let in, or that uses a link; undefined for one that is let in. */
  answer({ headers, method, url }: IncomingMessage): Answer | undefined {
    if (headers.host !== this.#origin.host) return refusal('This is not the address of the preview.')
    if (headers.origin !== undefined && headers.origin !== this.#origin.origin)
      return refusal('Other pages cannot read the preview.')
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'The preview answers GET alone.\n' }
    const isKnown = this.#isKnown(headers.cookie)
    const [path, query] = (url ?? '/').split('?', 2)
    const key = path === previewPaths.page ? new URLSearchParams(query).get('key') : null
    if (key === null) return isKnown ? undefined : refusal(usedLink)
    // A key of HEAD is not used up: programs look at links in this way before a person opens them.
    if (method === 'HEAD') return { status: 200 }
    return this.#keys.delete(key) || isKnown ? this.#signedIn() : refusal(usedLink)
  }

  /**
   * Exchanges the key for a cookie. The browser then loads the page by itself: after a redirection of a link on
   * another page it would not send the cookie.
   */
  #signedIn(): Answer {
    return {
      status: 200,
      headers: {
        'Set-Cookie': `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`,
        // Not in a sandbox, from which the browser would not send the cookie either.
        'Content-Security-Policy': "default-src 'none'",
        Refresh: `0; url=${previewPaths.page}`,
      },
    }
  }

  #isKnown(header = ''): boolean {
    const prefix = `${this.#cookie}=`
    const sent = header.split(/;\s*/).filter((pair) => pair.startsWith(prefix))
    return sent.some((pair) => timingSafeEqual(hash(pair.slice(prefix.length)), hash(this.#session)))
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest()

const usedLink = 'This link was used already, or the preview has been started again. For a new link: vatom preview'
const refusal = (why: string): Answer => ({ status: 403, body: `${why}\n` })
