import type { Endpoint } from '../contract/api/endpoint.ts'
import { api, type Input, type Operation, operations, type Payload } from '../contract/api/table.ts'
import { type Warning, warningsIn } from '../contract/api/warnings.ts'
import type { WireResponse } from '../contract/api/wire.ts'
import { readAnswer } from './answer.ts'
import { withToken } from './authorized.ts'
import { ServiceError } from './errors.ts'
import { buildRequest } from './request.ts'
import type { Session } from './session.ts'
import type { Transport } from './transport.ts'

/** One method an operation; each throws ServiceError, UnreachableError or SessionError. */
export type Client = { readonly [K in Operation]: (input: Input<K>) => Promise<Payload<K>> }

export interface ClientOptions {
  readonly appId: string
  readonly send: Transport
  readonly session: Session
  /** Receives the warnings of an answer. */
  readonly onWarnings?: (warnings: readonly Warning[]) => void
}

/** The API's client, derived from its table. */
export function createClient(options: ClientOptions): Client {
  return Object.fromEntries(operations.map(([name, row]) => [name, methodOf(row, options)])) as Client
}

const methodOf =
  (row: Endpoint, { appId, send, session, onWarnings }: ClientOptions) =>
  async (input: unknown): Promise<unknown> => {
    const request = buildRequest(row, input, appId)
    const refused = (answer: WireResponse) => tokenRefused(row, answer)
    const response =
      row.auth === 'none'
        ? await send(request)
        : await withToken(session, refused, (token) => send({ ...request, headers: { ...request.headers, ...token } }))
    const payload = readAnswer(row, response)
    const warnings = warningsIn(response.headers['vatom-warning'])
    if (warnings.length > 0) onWarnings?.(warnings)
    return payload
  }

/** Whether an answer refuses the token, not the user: 401, or a 403 whose code says so. */
function tokenRefused(row: Endpoint, response: WireResponse): boolean {
  if (response.status === 401) return true
  if (response.status !== 403) return false
  try {
    readAnswer(row, response)
    return false
  } catch (error) {
    return error instanceof ServiceError && error.kind === 'unauthorized'
  }
}

/**
 * Calls Refresh Access Token. The refresh token goes in both headers, and the answer may be a string or an object:
 * the specification and the clients in the field differ. Spec 4.3.
 */
export async function refreshAccessToken(send: Transport, appId: string, refreshToken: string): Promise<string> {
  const row = api.refreshAccessToken
  const request = buildRequest(row, {}, appId)
  const headers = { ...request.headers, authentication: refreshToken, authorization: `Bearer ${refreshToken}` }
  const { access_token } = readAnswer(row, await send({ ...request, headers }))
  return typeof access_token === 'string' ? access_token : access_token.token
}
