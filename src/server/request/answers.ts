import { ApiError, type ErrorName, type WireIssue } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { PartlyDone } from '../actions/partly-done.ts'
import { JsonParts, JsonText } from '../domain/json-text.ts'
import type { Environment } from '../environment.ts'
import { faultOf } from '../store/faults.ts'
import { TokenExpired } from './authenticate.ts'
import { TooManyCalls } from './call-limit.ts'

/** Headers of every answer that is JSON. */
export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

/** The answer to a request. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parts of a body that is too long for one text are made as they are read, once. */
  readonly body: string | Iterable<string>
  /** Application code of the error, where the body has one. */
  readonly code?: number
}

/** An answer whose body is one text. */
interface WholeAnswer extends Answer {
  readonly body: string
}

/** 200 with a payload, which can be JSON text, whole or in parts. */
export const successAnswer = (requestId: string, payload: unknown, notices: Answer['headers'] = {}): Answer => ({
  status: 200,
  headers: { ...jsonHeaders, ...notices },
  body: payload instanceof JsonParts ? joined(inEnvelope(requestId, payload)) : wholeBody(requestId, payload),
})

const wholeBody = (requestId: string, payload: unknown) =>
  `{"request_id":"${requestId}","payload":${payload instanceof JsonText ? payload.text : JSON.stringify(payload)}}`

function* inEnvelope(requestId: string, { parts }: JsonParts): Generator<string, void> {
  yield `{"request_id":"${requestId}","payload":`
  yield* parts
  yield '}'
}

/** One text, if that is short and soon made; else parts that are not much longer, or that are made in some milliseconds. */
function joined(texts: Iterable<string>): string | Iterable<string> {
  const parts = inParts(texts)
  const { value: first = '' } = parts.next()
  const { value: second, done } = first.length < limits.answerPart ? parts.next() : { value: '', done: false }
  return done ? first : before(first + second, parts)
}

/** Milliseconds after which a part ends that is short as yet. */
const partTime = 5

function* inParts(texts: Iterable<string>): Generator<string, void> {
  let part = ''
  let since = performance.now()
  for (const text of texts) {
    part += text
    if (part.length < limits.answerPart && performance.now() - since < partTime) continue
    yield part
    part = ''
    since = performance.now()
  }
  if (part !== '') yield part
}

function* before(first: string, rest: Iterable<string>): Generator<string, void> {
  yield first
  yield* rest
}

/** The text of a body, whole. */
export const textOf = (body: Answer['body']): string => (typeof body === 'string' ? body : [...body].join(''))

/** `{request_id, error, message[, issues]}`, with issues on every 400; never a `payload`, which clients take for a success. */
export function errorAnswer(requestId: string, error: ApiError): WholeAnswer {
  const { status, code, message } = error
  const issues = issuesOf(error)
  const body = JSON.stringify({ request_id: requestId, error: code, message, ...(issues.length > 0 && { issues }) })
  return { status, headers: { ...jsonHeaders, ...retryHeaders(error) }, body, code }
}

/** When a request may be sent again; never one that was partly carried out. */
function retryHeaders(error: ApiError): object {
  const seconds = error instanceof TooManyCalls ? error.seconds : retryAfter[error.kind]
  return seconds === undefined || error instanceof PartlyDone ? {} : { 'retry-after': String(seconds) }
}

/** Seconds after which a request may be sent again, if the error does not say it. */
const retryAfter: Partial<Record<ErrorName, number>> = { busy: 1, closing: 1, rateLimited: 60 }

/** A 400 always has an issue: one of the whole request where the error names no place. */
const issuesOf = ({ status, message, issues }: ApiError): readonly WireIssue[] =>
  status === 400 && issues.length === 0 ? [{ path: '', message }] : issues

/** The bodies by which mobile clients know that they must renew their access token; other keys would hide it. */
export const unauthorizedAnswer = (expired: boolean): WholeAnswer => ({
  status: 401,
  headers: jsonHeaders,
  body: JSON.stringify(expired ? { exp: 'token expired' } : { message: 'Unauthorized' }),
})

/**
 * The answer to a failure; an unexpected one is logged with its stack, one of the database in one line, and once what every
 * request is refused for from now on.
 */
export function failureAnswer(
  { compat, log, outdated }: Pick<Environment, 'compat' | 'log' | 'outdated'>,
  error: unknown,
  requestId: string,
): WholeAnswer {
  const failure = apiErrorOf(error)
  const [cause, reason] = error instanceof PartlyDone ? [error.cause, error.reason] : [error, failure.message]
  const report = (message: string) =>
    log?.(`${requestId} ${message}`, { event: 'error', request_id: requestId, message })
  if (failure.kind === 'unauthorized' && compat === 'sdk') return unauthorizedAnswer(failure instanceof TokenExpired)
  if (failure.kind === 'internal') report(`internal: ${traceOf(error)}`)
  if (failure.kind === 'storage') report(`storage: ${messageOf(cause)}`)
  if (failure.kind === 'outdated' && !outdated.has(reason)) {
    outdated.set(reason, at(cause, 'cause', 'path'))
    report(`outdated: ${reason}`)
  }
  return errorAnswer(requestId, failure)
}

const traceOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** A failure as an error of the catalogue; an unexpected one is `internal`, without details for the caller. */
function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error.kind === 'internal' ? new ApiError('internal') : error
  const fault = faultOf(error)
  if (fault) return fault
  if (isTooLong(error)) return new ApiError('tooLarge', 'the answer is too large: ask for fewer at a time')
  const status = at(error, 'statusCode')
  if (status === 413) return new ApiError('tooLarge')
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new ApiError('invalid', error instanceof Error ? error.message : undefined)
  return new ApiError('internal')
}

/** Whether V8 refused to make a string that is longer than it can be; only answers can be that long. */
const isTooLong = (error: unknown) => error instanceof RangeError && error.message === 'Invalid string length'
