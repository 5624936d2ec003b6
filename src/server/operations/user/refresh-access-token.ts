import type { Handler } from '../handlers.ts'
import { accessToken } from './session.ts'

/** A new access token, valid for 5 minutes: a string or an object, as the request's header asks. Spec 4.3. */
export const refreshAccessToken: Handler<'refreshAccessToken'> = ({ environment: { tokens }, user, session, form }) => {
  const token = tokens.sign('access', user, session)
  return { access_token: form === 'string' ? token : accessToken(token) }
}
