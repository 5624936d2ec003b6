import { randomUUID } from 'node:crypto'
import type { Handler } from '../handlers.ts'

/** Ends the session: its refresh and access tokens are refused from then on. Spec 5. */
export const logout: Handler<'logout'> = async ({ store, session, environment: { localSession } }) => {
  if (session === localSession.id) localSession.id = randomUUID()
  else await store.write(() => store.sessions.end(session))
  return { success_message: 'Signed out.' }
}
