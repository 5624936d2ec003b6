import { createHmac, randomUUID } from 'node:crypto'

/**
 * The sessions that were begun with the configured password, which is not stored. A process that has the password can see by
 * the id of a session whether it began with the same one, so that no password of an earlier process has to be recorded.
 */
export interface ConfiguredSessions {
  /** The id of a session that begins with the configured password. */
  newId(): string
  /** Whether a session began with the configured password, or with none that was configured. */
  accepts(session: string): boolean
}

/** Sessions that are remembered as accepted. */
const remembered = 1000

/** Those of a key that is made of the configured password; each request asks, so that what was found is remembered. */
export function configuredSessionsOf(key: Buffer): ConfiguredSessions {
  const accepted = new Set<string>()
  const markOf = (id: string) => createHmac('sha256', key).update(id).digest('base64url')
  return {
    newId: () => {
      const id = randomUUID()
      return `${id}.${markOf(id)}`
    },
    accepts: (session) => {
      if (accepted.has(session)) return true
      const [id = '', mark] = session.split('.')
      if (mark !== undefined && mark !== markOf(id)) return false
      if (accepted.size >= remembered) accepted.clear()
      accepted.add(session)
      return true
    },
  }
}
