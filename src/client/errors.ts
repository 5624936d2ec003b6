import type { ErrorName, WireIssue } from '../contract/api/errors.ts'

/** The service answered with an error. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'

  constructor(
    message: string,
    readonly status: number,
    /** The catalogue's name for it, if there is one. */
    readonly kind: ErrorName | undefined,
    readonly issues: readonly WireIssue[] = [],
    readonly requestId?: string,
  ) {
    super(message)
  }
}

/** There was no answer: the connection was refused or closed, the host is unknown, or the time was over. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  /** Whether a connection was closed before the answer came. */
  readonly isClosed: boolean

  constructor(
    readonly address: string,
    readonly reason: string,
    options?: ErrorOptions & { readonly isClosed?: boolean },
  ) {
    super(`No answer from ${address}: ${reason}`, options)
    this.isClosed = options?.isClosed ?? false
  }
}

/** The answer is not what the operation declares. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError'
}

/** There is no session, or the service no longer accepts it. */
export class SessionError extends Error {
  override readonly name = 'SessionError'

  constructor(
    message: string,
    /** How to get a session. */
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
