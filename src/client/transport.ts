import type { Endpoint } from '../contract/api/endpoint.ts'
import type { ErrorName } from '../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { serviceError } from './answer.ts'
import { mayDouble } from './retry.ts'
import type { Session } from './session.ts'

/** What is done before a request is sent again. */
export interface SendingAgain {
  /**
   * Called each time before a change is sent again after a wait; where it throws, the change is not sent. `mayBeDone`: whether
   * it may have been made by what was sent until then.
   */
  readonly beforeAgain?: (mayBeDone: boolean) => Promise<void>
}

/** Carries a request to the service; throws UnreachableError when no answer comes. */
export type Transport = (request: WireRequest & SendingAgain) => Promise<WireResponse>

interface Caller {
  readonly send: Transport
  readonly session: Session
}

/**
 * Sends a request as its operation may be called: with the session's access token, or without one for an operation that
 * is for anyone. If nobody is signed in and the answer is only for users, it throws the SessionError.
 */
export async function sendAs(
  caller: Caller,
  request: WireRequest & SendingAgain,
  { auth, errors }: Pick<Endpoint, 'auth' | 'errors'>,
): Promise<WireResponse> {
  if (auth === 'none') return caller.send(request)
  if (auth !== 'optional' || !caller.session.isNone) return sendAuthorized(caller, request, errors)
  const response = await caller.send(request)
  return isTokenRefused(response, errors) ? sendAuthorized(caller, request, errors) : response
}

/**
 * Sends a request with the session's access token, and once more with a new one where the service refuses the token,
 * not the user; a write only where nothing else may have answered that. `declared` are the errors of the operation.
 */
async function sendAuthorized(
  { send, session }: Caller,
  request: WireRequest & SendingAgain,
  declared: readonly ErrorName[],
): Promise<WireResponse> {
  const sendWith = (token: string) =>
    send({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
  const response = await sendWith(await session.accessToken())
  if (response.status === 200) session.isAccepted = true
  if (!isTokenRefused(response, declared) || mayDouble(request, response)) return response
  const token = await session.renew()
  if (token !== undefined) return { ...(await sendWith(token)), token: 'renewed' }
  return { ...response, token: session.isAccepted ? 'accepted' : 'given' }
}

/** Whether an answer refuses the token: 401, or a 403 whose code says so. */
const isTokenRefused = (response: WireResponse, declared: readonly ErrorName[]): boolean =>
  response.status === 401 || (response.status === 403 && serviceError(response, declared).kind === 'unauthorized')
