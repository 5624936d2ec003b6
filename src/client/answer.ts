import type * as z from 'zod/v4'
import { dryRunDone, dryRunHeader } from '../contract/api/dry-run-header.ts'
import type { Endpoint } from '../contract/api/endpoint.ts'
import { type ErrorName, errorCatalogue, errorNamed } from '../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { limits } from '../contract/limits.ts'
import type { Schema } from '../contract/schema/lazy-schema.ts'
import { at } from '../contract/schema/path.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { LongFailureError, ServiceError, UnexpectedAnswerError } from './errors.ts'
import { isOfService } from './of-service.ts'
import { refusalOf } from './refusal.ts'
import { withoutRepeated } from './repeated-secrets.ts'
import { secondsToWait } from './retry.ts'
import { isTemporary } from './statuses.ts'

/**
 * An operation's payload out of the answer to a request; throws ServiceError on an error, UnexpectedAnswerError on one of
 * a firewall.
 */
export function readAnswer<P extends z.ZodType>(
  row: Pick<Endpoint, 'method' | 'path' | 'errors'> & { readonly payload: Schema<P> },
  response: WireResponse,
  request: Pick<WireRequest, 'changes' | 'body'>,
): z.output<P> {
  const isForeign = isForeignRefusal(response) && !mayBeOurs.includes(response.status)
  if (isForeign) throw foreignRefusal(row, response, request)
  if (response.status !== 200) throw serviceError(response, row.errors, row)
  const body = parseJson(response.body)
  const payload = row.payload().safeParse(at(body, 'payload'))
  if (payload.success) return payload.data
  throw undeclared(row, response, { cause: payload.error, mayBeDone: isSentAsChange(request, response) })
}

/** The error of a success without what the API declares. */
export const undeclared = (
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { body, status, answeredBefore = false }: WireResponse,
  given: ErrorOptions & { readonly mayBeDone: boolean },
) => {
  const instead = isPage(body) ? `, but a web page; ${mayBeBetween}` : ''
  const message = `${method} ${path} did not answer what the API declares${instead}`
  return new UnexpectedAnswerError(message, { ...given, status, answeredBefore }, parseJson(body) !== undefined)
}

const mayBeBetween = 'a firewall or a proxy may have answered'

const notOfService = (through: string | undefined) =>
  `and no answer of a vAtom service; ${through === undefined ? mayBeBetween : `the proxy ${through} may have answered`}`

const isPage = (text: string) => /^\s*<(!doctype )?html\b/i.test(text)

/** Whether a request was to change something, and its answer does not say that it arrived as a dry run. */
const isSentAsChange = ({ changes }: Pick<WireRequest, 'changes'>, { headers }: WireResponse) =>
  changes === true && headers[dryRunHeader] !== dryRunDone

/** Statuses whose meaning does not depend on a body: there is no such path. */
const mayBeOurs: readonly number[] = [404, 405]

/** Whether a request was refused with something that is not JSON, such as the page of a firewall. */
export const isForeignRefusal = ({ status, body }: WireResponse): boolean =>
  status >= 400 && status < 500 && !isTemporary(status) && parseJson(body) === undefined

/** The error of such a refusal. */
export const foreignRefusal = (
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { status, through, mayBeDone = false, answeredBefore = false }: WireResponse,
  { body }: Pick<WireRequest, 'body'>,
) => {
  const size =
    status === tooLarge && body !== undefined ? ` to a body of ${new TextEncoder().encode(body).length} bytes` : ''
  return new UnexpectedAnswerError(
    `${method} ${path}: ${status}${size}, ${notOfService(through)}`,
    { mayBeDone, status, answeredBefore },
    false,
  )
}

const tooLarge = 413

/** Statuses with which something between says nothing of a record or of an action's handler. */
const alsoOfGateways: readonly number[] = [404, 502, 504]

/** Whether something between seems to have answered, or to want a token of its own: all that services say has an id. */
const isOfGateway = (response: WireResponse, { request_id }: { readonly request_id?: string | undefined }): boolean =>
  request_id === undefined && (response.status === 401 || !isOfService(response))

/** Whether an answer that refuses a token is none of a vAtom service, which may answer 403 without a code. */
const isRefusedBetween = (response: WireResponse): boolean =>
  response.status === 401 ? !isOfService(response) : response.status === 403 && isForeignRefusal(response)

/**
 * The error that an answer with a status of failure is; `declared` are the errors of its operation. That of something
 * between names the path that was asked for, if it is given.
 */
export function serviceError(
  response: WireResponse,
  declared: readonly ErrorName[],
  asked?: Pick<Endpoint, 'method' | 'path'>,
): ServiceError {
  const body = refusalOf(response)
  const isMeant = !alsoOfGateways.includes(response.status) || isOfService(response)
  const kind = isMeant ? errorNamed(response.status, body.error, declared) : undefined
  const isTooLarge = response.status === tooLarge && kind === undefined
  const isForeign = isTooLarge || isOfGateway(response, body)
  const said = body.message || (kind ? errorCatalogue[kind].title : answeredText(response, isForeign))
  const isShown = isTemporary(response.status) || response.status === 501
  const ofStatus = isShown && body.message ? `${response.status}, ${said}` : said
  const message = isForeign && asked ? `${asked.method} ${asked.path}: ${ofStatus}` : said
  const issues = (body.issues ?? []).filter((issue) => issue.path !== '' || issue.message !== said)
  const error = new ServiceError(message, response.status, kind, issues, body.request_id)
  error.repeated = response.repeated
  error.mayBeDone = response.mayBeDone === true
  error.isNumbered = body.error !== undefined
  error.isWorded = Boolean(body.message)
  error.answeredBefore = response.answeredBefore === true
  error.token = response.token
  error.isMisplaced = asked !== undefined && kind === 'notFound' && !declared.includes(kind)
  error.isOfGateway = body.request_id === undefined && isRefusedBetween(response)
  error.retryAfter = secondsToWait(response)
  return error
}

/**
 * An answer, marked if its request was to change something and may have been carried out. A failure is without the secrets
 * of its request. Throws LongFailureError for one that is longer than anybody reads.
 */
export function received(request: WireRequest, response: WireResponse): WireResponse {
  const isFailure = response.status !== 200
  if (isFailure && response.body.length > limits.failure) throw new LongFailureError(response.status)
  const answer = isFailure ? withoutRepeated(request, response) : response
  return mayBeDone(request, answer) ? { ...answer, mayBeDone: true } : answer
}

/**
 * Whether something between may have answered in place of the service: success without what the API declares, that it gave
 * up waiting, whether or not it says when to try again, or that it lets no such answer through.
 */
const mayBeDone = ({ changes }: WireRequest, response: WireResponse): boolean =>
  changes === true && !isBeforeService(response.status) && !isOfService(response)

/** Whether a status says that the service has no such request, or was not sent it: it leads elsewhere, or is too large. */
const isBeforeService = (status: number): boolean =>
  status === 200 || (status >= 300 && status < 400) || [404, 405, 407, 413, 414, 431, 501].includes(status)

/** What is said of an answer without words. A redirect is not followed: it may lead to a page for signing in. */
function answeredText({ status, headers, through }: WireResponse, isForeign: boolean): string {
  if (isForeign && status >= 400) return `${status}, ${notOfService(through)}`
  const place = status >= 300 && status < 400 ? withoutSecrets(headers.location) : undefined
  return `The service answered ${status}${place ? `, a redirect to ${place}` : ''}`
}

/** An address without a user and a query, in which pages for signing in have what only they may know. */
const withoutSecrets = (address: string | undefined) => address?.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')
