import type { WireResponse } from '../contract/api/wire.ts'
import type { Session } from './session.ts'

/** The header that carries an access token. */
interface TokenHeader {
  readonly authorization: string
}

/**
 * The answer to a request that is sent with the session's access token, and once more with a new one where `refused`
 * says that the service refuses the token, not the user.
 */
export async function withToken(
  session: Session,
  refused: (response: WireResponse) => boolean,
  send: (token: TokenHeader) => Promise<WireResponse>,
): Promise<WireResponse> {
  const response = await send(header(await session.accessToken()))
  if (!refused(response)) return response
  const token = await session.renew()
  return token === undefined ? response : send(header(token))
}

const header = (token: string): TokenHeader => ({ authorization: `Bearer ${token}` })
