import { ApiError, type ErrorName, type WireIssue } from '../../contract/api/errors.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { PartlyDone } from '../actions/partly-done.ts'
import { JsonText } from '../domain/json-text.ts'
import { isBusy, isUnusable } from '../store/database/sqlite.ts'
import { TokenExpired } from './authenticate.ts'

/** Headers of every answer that is JSON. */
export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

/** What answers a request. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Application code of the error, where the body has one. */
  readonly code?: number
}

/** 200 with a payload, which may be JSON text already. */
export const successAnswer = (requestId: string, payload: unknown, notices: Answer['headers'] = {}): Answer => ({
  status: 200,
  headers: { ...jsonHeaders, ...notices },
  body: `{"request_id":"${requestId}","payload":${payload instanceof JsonText ? payload.text : JSON.stringify(payload)}}`,
})

/** `{request_id, error, message[, issues]}`, with issues on every 400; never a `payload`, which clients take for a success. */
export function errorAnswer(requestId: string, error: ApiError): Answer {
  const { kind, status, code, message } = error
  const issues = issuesOf(error)
  const body = JSON.stringify({ request_id: requestId, error: code, message, ...(issues.length > 0 && { issues }) })
  return { status, headers: { ...jsonHeaders, ...retryHeaders(error, kind) }, body, code }
}

/** When a request may be sent again; never one of which something is done already. */
const retryHeaders = (error: ApiError, kind: ErrorName) => (error instanceof PartlyDone ? {} : retryAfter[kind])

const retryAfter: Partial<Record<ErrorName, Readonly<Record<string, string>>>> = {
  busy: { 'retry-after': '1' },
  rateLimited: { 'retry-after': '60' },
}

/** A 400 always names a place: the whole request where it is no place in it. */
const issuesOf = ({ status, message, issues }: ApiError): readonly WireIssue[] =>
  status === 400 && issues.length === 0 ? [{ path: '', message }] : issues

/** The bodies by which mobile clients know that they must renew their access token; other keys would hide it. */
export const unauthorizedAnswer = (expired: boolean): Answer => ({
  status: 401,
  headers: jsonHeaders,
  body: JSON.stringify(expired ? { exp: 'token expired' } : { message: 'Unauthorized' }),
})

/** How a service answers failures, and where unexpected ones are logged. */
interface Answering {
  readonly compat: 'spec' | 'sdk'
  readonly log: ((line: string) => void) | undefined
}

/** Any failure as it is answered; an unexpected one is logged with its trace, one of the database in one line. */
export function failureAnswer({ compat, log }: Answering, error: unknown, requestId: string): Answer {
  const failure = apiErrorOf(error)
  if (failure.kind === 'unauthorized' && compat === 'sdk') return unauthorizedAnswer(failure instanceof TokenExpired)
  if (failure.kind === 'internal') log?.(`${requestId} internal: ${traceOf(error)}`)
  if (failure.kind === 'storage') log?.(`${requestId} storage: ${messageOf(error)}`)
  return errorAnswer(requestId, failure)
}

const traceOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Any failure as one of the catalogue; an unexpected one is `internal`, without details for the caller. */
function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error.kind === 'internal' ? new ApiError('internal') : error
  if (isBusy(error)) return new ApiError('busy')
  if (isUnusable(error)) return new ApiError('storage')
  if (isTooLong(error)) return new ApiError('tooLarge', 'the answer is too large: ask for fewer at a time')
  const status = statusOf(error)
  if (status === 413) return new ApiError('tooLarge')
  if (status === 404) return new ApiError('unknownPath')
  if (status === 429) return new ApiError('rateLimited')
  if (status === 503) return new ApiError('busy', 'the service is closing')
  if (status >= 400 && status < 500) return new ApiError('invalid', error instanceof Error ? error.message : undefined)
  return new ApiError('internal')
}

/** Whether V8 refused to make a string of more characters than one can have, which only an answer can come to. */
const isTooLong = (error: unknown) => error instanceof RangeError && error.message === 'Invalid string length'

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500
