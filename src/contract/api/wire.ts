/** A request as it crosses a transport: plain data, so that it may cross bundles too. */
export interface WireRequest {
  readonly method: string
  /** Path and query below the base URL, percent-encoded: `/v1/templates/acme%3A%3ACoupon`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether it is to change something. */
  readonly changes?: boolean
  /** Whether it may be sent again without knowing what became of it: the same twice is as once. */
  readonly repeatable?: boolean
  /** Files sent instead of a body. */
  readonly files?: Files
}

/** A file that is uploaded. */
export interface WireFile {
  readonly name: string
  /** Of the form; `file` by default. */
  readonly field?: string
  /** Opens its content; a retry opens it again. */
  readonly content: () => AsyncIterable<Uint8Array>
}
/** Files of one upload, one after the other. */
export type Files = Iterable<WireFile> | AsyncIterable<WireFile>

/** An answer as it crosses a transport; header names are lower case. */
export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether the request may have been carried out, although something else than the service answers that it failed. */
  readonly mayBeDone?: boolean
  /** What is known of the token of the request, where it is refused. */
  readonly token?: RefusedToken
  /** The proxy through which a failure came, and its variable. */
  readonly through?: string
  /** Whether a vAtom service has answered at the same address before. */
  readonly answeredBefore?: boolean
  /** Where the request was sent several times, and this is the last answer. */
  readonly repeated?: Repeated
}

/** A token that is refused: a given one, one that the service has accepted before, or one that was renewed for the request. */
export type RefusedToken = 'given' | 'accepted' | 'renewed'

/** How often a request was sent, and within how many seconds. */
export interface Repeated {
  readonly attempts: number
  readonly seconds: number
}
