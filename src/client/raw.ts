import { ErrorBody } from '../contract/api/envelope.ts'
import { operations } from '../contract/api/table.ts'
import type { WireResponse } from '../contract/api/wire.ts'
import { parseJson } from '../contract/unknown-values.ts'
import { withToken } from './authorized.ts'
import type { ClientOptions } from './client.ts'
import { type ServiceError, serviceError } from './errors.ts'

/** A request that no row of the API's table stands for. */
export interface RawRequest {
  readonly method: string
  /** Path and query below the base URL, percent-encoded. */
  readonly path: string
  /** JSON text. */
  readonly body?: string
}

/** Sends a request as it is, with the session's token where the path is one that wants it; answers what came back. */
export type RawCall = (request: RawRequest) => Promise<WireResponse>

export const createRawCall =
  ({ appId, send, session }: ClientOptions): RawCall =>
  async ({ method, path, body }) => {
    const headers = { 'app-id': appId, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const request = { method, path, headers, ...(body !== undefined && { body }) }
    if (needsNoToken(method, path)) return send(request)
    return withToken(session, refused, (token) => send({ ...request, headers: { ...headers, ...token } }))
  }

const open = operations.filter(([, { auth }]) => auth === 'none').map(([, row]) => row)

/** Whether a path is one that anyone may call, such as login's. */
function needsNoToken(method: string, path: string): boolean {
  const [bare = ''] = path.split('?')
  return bare.startsWith('/__vatom/') || open.some((row) => row.method === method && row.path === bare)
}

/** Whether an answer refuses the token, not the user. */
const refused = (response: WireResponse): boolean =>
  response.status === 401 || (response.status === 403 && rawError(response)?.kind === 'unauthorized')

/** The error that an answer is; undefined for a success. */
export function rawError({ status, body }: WireResponse): ServiceError | undefined {
  if (status >= 200 && status < 300) return undefined
  return serviceError(status, ErrorBody().safeParse(parseJson(body)).data ?? {}, ['unauthorized'])
}
