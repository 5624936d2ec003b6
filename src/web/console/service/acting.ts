import { currentSession } from './session.ts'

/** A new access token of a user, for commands that act as they do, whoever the command line is signed in as. */
export async function tokenFor(user: string): Promise<string> {
  const { apiAs } = await import('./api.ts')
  return apiAs(user, currentSession().app_id).session.renew()
}
