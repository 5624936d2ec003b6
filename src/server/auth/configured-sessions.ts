import { createHmac, randomUUID } from 'node:crypto'

/**
 * The sessions that were begun with the configured password, which is not stored. The id of each tells whether that is
 * still the configured one, and only to a process that has it: no process needs to record what another one is started with.
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
