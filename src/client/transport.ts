import type { ErrorName } from '../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { serviceError } from './answer.ts'
import type { Session } from './session.ts'

/** Carries a request to the service; throws UnreachableError when no answer comes. */
export type Transport = (request: WireRequest) => Promise<WireResponse>

/**
 * Sends a request with the session's access token, and once more with a new one where the service refuses the token,
 * not the user. `declared` are the errors of the operation.
 */
export async function sendAuthorized(
  { send, session }: { readonly send: Transport; readonly session: Session },
  request: WireRequest,
  declared: readonly ErrorName[],
): Promise<WireResponse> {
  const sendWith = (token: string) =>
    send({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
  const response = await sendWith(await session.accessToken())
  if (!isTokenRefused(response, declared)) return response
  const token = await session.renew()
  return token === undefined ? response : sendWith(token)
}

/** Whether an answer refuses the token: 401, or a 403 whose code says so. */
const isTokenRefused = (response: WireResponse, declared: readonly ErrorName[]): boolean =>
  response.status === 401 || (response.status === 403 && serviceError(response, declared).kind === 'unauthorized')
