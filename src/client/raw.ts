import { type Endpoint, isChange } from '../contract/api/endpoint.ts'
import type { ErrorName } from '../contract/api/errors.ts'
import { operations } from '../contract/api/table.ts'
import type { WireResponse } from '../contract/api/wire.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { serviceError, undeclared } from './answer.ts'
import type { ClientOptions } from './client.ts'
import type { ServiceError, UnexpectedAnswerError } from './errors.ts'
import { contentType } from './request.ts'
import { sendAs } from './transport.ts'

/** A request that need not be one of the API's table. */
export interface RawRequest {
  readonly method: string
  /** Path and query below the base URL, percent-encoded. */
  readonly path: string
  /** JSON text. */
  readonly body?: string
}

/** Sends a request as it is, with the session's token where its path needs one; returns the answer, whatever its status. */
export type RawCall = (request: RawRequest) => Promise<WireResponse>

export const createRawCall =
  (options: ClientOptions): RawCall =>
  async ({ method, path, body }) => {
    const headers = { 'app-id': options.appId, ...contentType(method) }
    const row = rowOf({ method, path })
    const changes = row ? isChange(row) : method !== 'GET'
    const request = { method, path, headers, changes, repeatable: !changes, ...(body !== undefined && { body }) }
    return sendAs(options, request, { auth: row?.auth ?? authOf(path), errors: declared })
  }

/** The errors that any operation may answer. */
const declared: readonly ErrorName[] = ['unauthorized']

/** Who may send a request that is no operation of the API. */
const authOf = (path: string) => (path.startsWith('/__vatom/') ? 'none' : 'user')

/** The operation that a request is for; undefined for none. */
export const rowOf = ({ method, path }: Pick<RawRequest, 'method' | 'path'>): Endpoint | undefined =>
  operations.find(([, row]) => row.method === method && patternOf(row.path).test(path))?.[1]

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const pattern = patterns.get(path) ?? new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}(?:\\?|$)`)
  patterns.set(path, pattern)
  return pattern
}

/** The error that an answer is; undefined for a success. */
export const rawError = (response: WireResponse): ServiceError | undefined =>
  response.status >= 200 && response.status < 300 ? undefined : serviceError(response, declared)

/**
 * The error of a success that something else than a vAtom service answers: all that operations of the API answer is JSON.
 * Undefined for any other answer.
 */
export function foreignSuccess(request: RawRequest, response: WireResponse): UnexpectedAnswerError | undefined {
  const { status, body } = response
  const row = rowOf(request)
  const isForeign = row !== undefined && status >= 200 && status < 300 && parseJson(body) === undefined
  return isForeign ? undeclared(row, response, { mayBeDone: isChange(row) }) : undefined
}
