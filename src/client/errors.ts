import type { ErrorName, WireIssue } from '../contract/api/errors.ts'
import type { RefusedToken, Repeated } from '../contract/api/wire.ts'
import { limits } from '../contract/limits.ts'
import { at } from '../contract/schema/path.ts'
import { thousands } from '../contract/schema/wording.ts'
import { messageOf } from '../contract/unknown-values.ts'

/** The service answered with an error. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** Set by who sent the request several times. */
  repeated: Repeated | undefined
  /** Whether a gateway answered instead of the service, which may have done what was to be changed. */
  mayBeDone = false
  /** Whether nobody is said to be signed in by something else than a vAtom service: that says nothing of the session. */
  isOfGateway = false
  /** Whether it says that a record is missing, to a request that asks for none, such as one for a list. */
  isMisplaced = false
  /** Whether it has a number of its own, as the errors of vAtom services have. */
  isNumbered = false
  /** Whether it has a message of its own. */
  isWorded = false
  /** Whether a vAtom service has answered at the same address before. */
  answeredBefore = false
  /** What is known of the token of its request, where that is refused. */
  token: RefusedToken | undefined
  /** Seconds after which the service asks to send it again. */
  retryAfter: number | undefined

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

/** Errors of requests whose answers cannot be predicted, though the requests may succeed. */
const unpredicted: readonly unknown[] = ['dryRunRefused', 'dryRunFull', 'dryRunLost'] satisfies ErrorName[]
export const isUnpredicted = (error: unknown): boolean =>
  error instanceof ServiceError && unpredicted.includes(error.kind)

/** What is known of a request without an answer. */
interface Unanswered {
  /** Whether a connection was closed before the answer came. */
  readonly isClosed: boolean
  /** Whether nothing listens at the address of the service, so that nothing was sent. */
  readonly isRefused: boolean
  /** Seconds after which it was given up, although there was a connection; 0 if it failed otherwise. */
  readonly waited: number
  /** Whether it was to change something and reached the service, which may have done it. */
  readonly mayBeDone: boolean
  /** Whether a setting of this machine is wrong, so that no later request gets an answer either. */
  readonly isMisconfigured: boolean
  /** What to do about it, where the reason says so. */
  readonly remedy: string | undefined
}

/** There was no answer: the connection was refused or closed, the host is unknown, or the time was over. */
export class UnreachableError extends Error implements Unanswered {
  override readonly name = 'UnreachableError'
  readonly isClosed: boolean
  readonly isRefused: boolean
  readonly waited: number
  readonly mayBeDone: boolean
  readonly isMisconfigured: boolean
  readonly remedy: string | undefined
  /** Set by who sent the request several times. */
  repeated: Repeated | undefined
  /** Whether another service could be chosen instead: set by who knows how this one was chosen. */
  isReplaceable = false
  /** The application id of the service, where that is known. */
  appId: string | undefined

  constructor(
    readonly address: string,
    readonly reason: string,
    {
      isClosed = false,
      isRefused = false,
      waited = 0,
      mayBeDone = false,
      isMisconfigured = false,
      remedy,
      ...options
    }: ErrorOptions & Partial<Unanswered> = {},
  ) {
    super(`No answer from ${address}: ${reason}`, options)
    this.isClosed = isClosed
    this.isRefused = isRefused
    this.waited = waited
    this.mayBeDone = mayBeDone
    this.isMisconfigured = isMisconfigured
    this.remedy = remedy
  }
}

/** What is known of an answer that is not what was declared. */
interface Unexpected {
  /** Whether its request was to change something, or to be a dry run of that, and the service may have made the change. */
  readonly mayBeDone: boolean
  /** Whether its request was to be a dry run. */
  readonly isDryRun: boolean
  /** Its status, where it is known. */
  readonly status: number | undefined
  /** Whether a vAtom service has answered at the same address before. */
  readonly answeredBefore: boolean
}

/** The answer is not what the operation declares. */
export class UnexpectedAnswerError extends Error implements Unexpected {
  override readonly name = 'UnexpectedAnswerError'
  readonly mayBeDone: boolean
  readonly isDryRun: boolean
  readonly status: number | undefined
  readonly answeredBefore: boolean

  constructor(
    message: string,
    {
      mayBeDone = false,
      isDryRun = false,
      status,
      answeredBefore = false,
      ...options
    }: ErrorOptions & Partial<Unexpected> = {},
    /** Whether it is JSON at all: what is not comes from something else than a vAtom service. */
    readonly isJson = true,
  ) {
    super(message, options)
    this.mayBeDone = mayBeDone
    this.isDryRun = isDryRun
    this.status = status
    this.answeredBefore = answeredBefore
  }
}

/** The answer is no success, and too long for what says why. */
export class LongFailureError extends Error {
  override readonly name = 'LongFailureError'
  readonly code = 'LONG_FAILURE'

  constructor(status: number) {
    super(`what it answers with ${status} has more than ${thousands(limits.failure)} characters`)
  }
}

/** The answer to a change was lost, and to send it again or to look for it failed, too: it may have been carried out. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'
  readonly mayBeDone = true

  constructor(
    /** Why it failed in the end. */
    readonly last: unknown,
  ) {
    super(messageOf(last), { cause: last })
  }
}

/** Whether a failed request was to change something, and the service may have made the change. */
export const mayBeDone = (error: unknown): boolean => at(error, 'mayBeDone') === true

/** For what can be left unsaid: nothing where the service answers with an error. Throws anything else. */
export function unlessRefused(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined
  throw error
}

/** There is no session, or the service does not accept it. */
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
