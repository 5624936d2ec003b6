import { ApiError, type ErrorName, type WireIssue } from '../../contract/api/errors.ts'

export const json = 'application/json; charset=utf-8'

/** A payload that is JSON text already, sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The body of a success. */
export const successBody = (requestId: string, payload: unknown): string =>
  `{"request_id":"${requestId}","payload":${payload instanceof JsonText ? payload.text : JSON.stringify(payload)}}`

/** An error as it is answered. */
export interface ErrorAnswer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** The error's application code, where the body has one. */
  readonly code?: number
}

/** Whether a kind of failure tells the caller more than its status by a header. */
const extraHeaders: Partial<Record<ErrorName, Record<string, string>>> = {
  busy: { 'retry-after': '1' },
  rateLimited: { 'retry-after': '60' },
}

/** `{request_id, error, message[, issues]}`, with issues on every 400; never a `payload`, which clients take for a success. */
export function errorAnswer(requestId: string, error: ApiError): ErrorAnswer {
  const { kind, status, code, message } = error
  const issues = issuesOf(error)
  const body = JSON.stringify({ request_id: requestId, error: code, message, ...(issues.length > 0 && { issues }) })
  return { status, body, headers: error instanceof PartlyDone ? {} : (extraHeaders[kind] ?? {}), code }
}

/** A 400 always says where: at the whole of the request, if at nothing in it. */
const issuesOf = ({ status, message, issues }: ApiError): readonly WireIssue[] =>
  status === 400 && issues.length === 0 ? [{ path: '', message }] : issues

/** The bodies by which mobile clients know that they must renew their access token; other keys would hide it. */
export const unauthorizedAnswer = (expired: boolean): ErrorAnswer => ({
  status: 401,
  body: JSON.stringify(expired ? { exp: 'token expired' } : { message: 'Unauthorized' }),
  headers: {},
})

/** Raised for a missing, malformed or expired access token. */
export class Unauthorized extends ApiError {
  constructor(readonly expired: boolean) {
    super('unauthorized', expired ? 'Not Authorized: the access token has expired' : undefined)
  }
}

/** Raised once something is done that stays done: no header asks to send the request again, which would do it twice. */
export class PartlyDone extends ApiError {}
