import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pageSessionHeader } from '../../contract/page-session.ts'
import { previewPaths } from '../../contract/preview.ts'
import { SignIn } from '../../pages/sign-in.ts'

/** An answer that is not a stream. */
export interface Answer {
  readonly status: number
  readonly type?: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** A session that ends with the process, or when too many others have begun. */
const untilTheEnd = { isValid: () => true, end: () => {} }

/** Lets pages in that have used a link of this run, and no page of elsewhere. */
export class Door {
  readonly #origin: URL
  readonly #signIn = new SignIn<typeof untilTheEnd>()

  constructor(origin: string) {
    this.#origin = new URL(origin)
  }

  /** A link to the page, which can be used once. */
  newLink(): string {
    return `${this.#origin.origin}${previewPaths.page}?key=${this.#signIn.newKey()}`
  }

  /** The answer to a request that is not let in, or that uses a link; undefined for one that is let in. */
  answer({ headers, method }: IncomingMessage, path: string): Answer | undefined {
    if (headers.host !== this.#origin.host) return refusal('This is not the address of the preview.')
    if (headers.origin !== undefined && headers.origin !== this.#origin.origin)
      return refusal('Other pages cannot read the preview.')
    if (method === 'POST' && path === previewPaths.session) return this.#enter(headers)
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'The preview answers GET alone.\n' }
    return isOpen(path) || this.#signIn.sessionOf(headers) ? undefined : refusal('This page is not signed in.')
  }

  #enter(headers: IncomingHttpHeaders): Answer {
    if (!this.#signIn.useKey(headers)) return refusal('This link was used already.')
    return { status: 200, headers: { [pageSessionHeader]: this.#signIn.begin(untilTheEnd) } }
  }
}

/**
 * What browsers load by themselves, for which a page can send no session, nor a web face of another origin that was given the
 * address of a file. The addresses of files cannot be guessed.
 */
const isOpen = (path: string): boolean =>
  path === previewPaths.page ||
  [previewPaths.scripts, previewPaths.placeholders, previewPaths.files].some((prefix) => path.startsWith(prefix))

const refusal = (why: string): Answer => ({ status: 403, body: `${why}\n` })
