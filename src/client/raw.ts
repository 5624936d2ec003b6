import type { Auth, Endpoint } from '../contract/api/endpoint.ts'
import type { ErrorName } from '../contract/api/errors.ts'
import { operations } from '../contract/api/table.ts'
import type { WireResponse } from '../contract/api/wire.ts'
import { serviceError } from './answer.ts'
import type { ClientOptions } from './client.ts'
import type { ServiceError } from './errors.ts'
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
    const request = { method, path, headers, changes: method !== 'GET', ...(body !== undefined && { body }) }
    return sendAs(options, request, { auth: authOf(method, path), errors: declared })
  }

/** The errors that any operation may answer. */
const declared: readonly ErrorName[] = ['unauthorized']

/** Who may send a request, as the table says; an operation that it does not have needs a token. */
function authOf(method: string, path: string): Auth {
  const [bare = ''] = path.split('?')
  if (bare.startsWith('/__vatom/')) return 'none'
  return operations.find(([, row]) => row.method === method && isPathOf(row, bare))?.[1].auth ?? 'user'
}

const isPathOf = (row: Endpoint, path: string) => new RegExp(`^${row.path.replace(/:\w+/g, '[^/]+')}$`).test(path)

/** The error that an answer is; undefined for a success. */
export const rawError = (response: WireResponse): ServiceError | undefined =>
  response.status >= 200 && response.status < 300 ? undefined : serviceError(response, declared)
