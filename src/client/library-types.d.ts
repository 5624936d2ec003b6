/** An operation of the API. */
export type Operation = keyof Operations
/** What a caller gives an operation: its path parameters, body, query and files. */
export type Input<K extends Operation> = Operations[K]['input']
/** What an operation answers. */
export type Payload<K extends Operation> = Operations[K]['payload']

/** A file that is uploaded. */
export interface WireFile {
  readonly name: string
  /** Of the form; `file` by default. */
  readonly field?: string
  /** Opens its content. */
  readonly content: () => AsyncIterable<Uint8Array>
}
/** Files of one upload. */
export type Files = Iterable<WireFile> | AsyncIterable<WireFile>

/** What an answer warns of. */
export interface Warning {
  readonly code: string
  readonly path: string
  readonly message: string
}

/** `fetch`, where the platform's types declare it. */
export type PlatformFetch = typeof globalThis extends { readonly fetch: infer Fetch } ? Fetch : never

/** Which service is called, and as whom. */
export interface ConnectOptions {
  /** Address of the service. */
  readonly baseUrl: string
  /** The application id; `local`. */
  readonly appId?: string
  /** Signs requests in until it expires, after 5 minutes. */
  readonly accessToken?: string
  /** Renews the access token whenever it expires. */
  readonly refreshToken?: string
  /** Milliseconds to wait for an answer; 30,000. */
  readonly timeout?: number
  /** What sends requests: that of the platform if it is left out. */
  readonly fetch?: PlatformFetch
  /** Receives the warnings of an answer. */
  readonly onWarnings?: (warnings: readonly Warning[]) => void
}

/** A client of a service: a method for each operation. */
export declare function connect(options: ConnectOptions): Client

/** The service answered with an error. */
export declare class ServiceError extends Error {
  readonly name: 'ServiceError'
  readonly status: number
  /** The name of the error, if it is known. */
  readonly kind: ErrorName | undefined
  /** What is wrong with the request, by its place. */
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  readonly requestId: string | undefined
  /** Whether a gateway answered instead of the service, which may have done what was to be changed. */
  mayBeDone: boolean
  /** Seconds after which the service asks to send the request again. */
  retryAfter: number | undefined
}

/** There was no answer: the connection was refused or closed, the host is unknown, or the time was over. */
export declare class UnreachableError extends Error {
  readonly name: 'UnreachableError'
  readonly address: string
  readonly reason: string
  /** Whether the request was to change something, and may have done it. */
  readonly mayBeDone: boolean
}

/** The answer is not what the operation declares. */
export declare class UnexpectedAnswerError extends Error {
  readonly name: 'UnexpectedAnswerError'
}

/** There is no session, or the service does not accept it. */
export declare class SessionError extends Error {
  readonly name: 'SessionError'
  /** How to get a session. */
  readonly remedy: string
}
