import type { WireIssue } from '../contract/api/errors.ts'
import { type ErrorName, errorCatalogue, errorNamed } from '../contract/api/errors.ts'

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

/** No answer came: refused, reset, unresolved or out of time. */
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

/** A ServiceError from an answer's status, application code and text. */
export function serviceError(
  status: number,
  body: { error?: number; message?: string; issues?: readonly WireIssue[]; request_id?: string },
  declared: readonly ErrorName[],
): ServiceError {
  const kind = errorNamed(status, body.error, declared)
  const message = body.message || (kind ? errorCatalogue[kind].title : `The service answered ${status}`)
  const issues = (body.issues ?? []).filter((issue) => issue.path !== '' || issue.message !== message)
  return new ServiceError(message, status, kind, issues, body.request_id)
}
