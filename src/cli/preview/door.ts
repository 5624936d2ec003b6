import type { IncomingMessage } from 'node:http'
import { previewPaths } from '../../contract/preview.ts'
import { enteredHeaders, SignIn } from '../../pages/sign-in.ts'

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
  readonly #signIn: SignIn

  constructor(origin: string) {
    this.#origin = new URL(origin)
    // A browser sends cookies to all ports of a host.
    this.#signIn = new SignIn(`vatom_preview_${this.#origin.port}`)
  }

  /** A link to the page, which can be used once. */
  newLink(): string {
    return `${this.#origin.origin}${previewPaths.page}?key=${this.#signIn.newKey()}`
  }

  /** The answer to a request that is not let in, or that uses a link; undefined for one that is let in. */
  answer({ headers, method, url }: IncomingMessage): Answer | undefined {
    if (headers.host !== this.#origin.host) return refusal('This is not the address of the preview.')
    if (headers.origin !== undefined && headers.origin !== this.#origin.origin)
      return refusal('Other pages cannot read the preview.')
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'The preview answers GET alone.\n' }
    const isKnown = this.#signIn.isKnown(headers.cookie)
    const [path, query] = (url ?? '/').split('?', 2)
    const key = path === previewPaths.page ? new URLSearchParams(query).get('key') : null
    if (key === null) return isKnown ? undefined : refusal(usedLink)
    // A key of HEAD is not used up: programs look at links in this way before a person opens them.
    if (method === 'HEAD') return { status: 200 }
    const mayEnter = this.#signIn.useKey(key) || isKnown
    return mayEnter
      ? { status: 200, headers: enteredHeaders(this.#signIn.begin(), previewPaths.page) }
      : refusal(usedLink)
  }
}

const usedLink = 'This link was used already, or the preview has been started again. For a new link: vatom preview'
const refusal = (why: string): Answer => ({ status: 403, body: `${why}\n` })
