import { createHmac, randomUUID } from 'node:crypto'
import { retried } from '../store/retried.ts'

/**
 * The sessions that were begun with the configured password, which is not stored. A process that has the password can see by
 * the id of a session whether it began with the same one, so that no password of an earlier process has to be recorded.
 */
export interface ConfiguredSessions {
  /** The id of a session that begins with the configured password. */
  newId(): Promise<string>
  /**
   * Whether a session began with the configured password, or with none that was configured. Of one that is marked this can
   * be asked once the key is made.
   */
  accepts(session: string): boolean
  readonly hasKey: boolean
  /** Makes the key of marked sessions, once for all who ask; that takes as long as to hash a password. */
  makeKey(): Promise<void>
}

/** Whether a session is said to have begun with a configured password. */
export const isMarked = (session: string): boolean => session.includes('.')

/** How many sessions are remembered as accepted at most: each request asks. */
const mostAccepted = 1000

/** Those of a key that is made of the configured password. */
export function configuredSessionsOf(deriveKey: () => Promise<Buffer>): ConfiguredSessions {
  let key: Buffer | undefined
  const accepted = new Set<string>()
  const makeKey = retried(async () => {
    key = await deriveKey()
  })
  const markOf = (id: string) => {
    if (!key) throw new Error('the key of sessions with the configured password is not made yet')
    return createHmac('sha256', key).update(id).digest('base64url')
  }
  return {
    get hasKey() {
      return key !== undefined
    },
    makeKey,
    newId: async () => {
      await makeKey()
      const id = randomUUID()
      return `${id}.${markOf(id)}`
    },
    accepts: (session) => {
      if (!isMarked(session) || accepted.has(session)) return true
      const [id = '', mark] = session.split('.')
      if (mark !== markOf(id)) return false
      if (accepted.size >= mostAccepted) accepted.clear()
      accepted.add(session)
      return true
    },
  }
}
