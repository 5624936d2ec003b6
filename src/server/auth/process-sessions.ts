import { randomUUID } from 'node:crypto'

/** A session that is stored nowhere, and ends with the process. */
export interface ProcessSession {
  /** What its tokens name; signing out with one of them changes it. */
  readonly id: string
  /** Whether nothing has ended what it began with. */
  readonly isValid: () => boolean
}

/** The session of the process itself, which needs no login, and those of pages of its console. */
export interface ProcessSessions {
  readonly own: ProcessSession
  /** Begins a session that ends once it is no longer valid. */
  readonly begin: (isValid: () => boolean) => ProcessSession
  /** The session that a token names. */
  readonly byId: (id: string) => ProcessSession | undefined
  /** Signs out with a token: those that its session gave so far are refused, and it goes on with new ones. */
  readonly signOut: (id: string) => void
  readonly end: (session: ProcessSession) => void
}

/** The sessions of a process that begins. */
export function newProcessSessions(): ProcessSessions {
  const byId = new Map<string, { id: string; readonly isValid: () => boolean }>()
  const begin = (isValid: () => boolean): ProcessSession => {
    const session = { id: randomUUID(), isValid }
    byId.set(session.id, session)
    return session
  }
  return {
    own: begin(() => true),
    begin,
    byId: (id) => byId.get(id),
    signOut: (id) => {
      const session = byId.get(id)
      if (!session || !byId.delete(id)) return
      session.id = randomUUID()
      byId.set(session.id, session)
    },
    end: ({ id }) => {
      byId.delete(id)
    },
  }
}

/** The same, of which none is changed: who signs out is signed out here alone. */
export function withoutChanges(sessions: ProcessSessions): ProcessSessions {
  const signedOut = new Set<string>()
  return {
    ...sessions,
    byId: (id) => (signedOut.has(id) ? undefined : sessions.byId(id)),
    signOut: (id) => {
      signedOut.add(id)
    },
  }
}
