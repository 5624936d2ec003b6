import { currentSession } from './session.ts'

/** Whether commands act as a user with the session of the command line, which is that of the publisher. */
export const isPublisher = (user: string): boolean => user === currentSession().publisher.id

/** A new access token of a user other than the publisher, for commands that act as they do; undefined for the publisher. */
export async function tokenFor(user: string): Promise<string | undefined> {
  if (isPublisher(user)) return undefined
  const { apiAs } = await import('./api.ts')
  return apiAs(user, currentSession().app_id).session.renew()
}
