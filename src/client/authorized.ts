import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import type { Session } from './session.ts'
import type { Transport } from './transport.ts'

interface Authorization {
  readonly send: Transport
  readonly session: Session
  /** Whether an answer refuses the token, not the user. */
  readonly refused: (response: WireResponse) => boolean
}

/** Sends a request with the session's access token, and once more with a new one where the service refuses the first. */
export async function sendAuthorized(request: WireRequest, { send, session, refused }: Authorization) {
  const response = await send(authorized(request, await session.accessToken()))
  if (!refused(response)) return response
  const token = await session.renew()
  return token === undefined ? response : send(authorized(request, token))
}

const authorized = (request: WireRequest, token: string): WireRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
})
