import { randomUUID } from 'node:crypto'

/** What a session began with. */
export interface Beginning {
  /** Whether nothing has ended that. */
  readonly isValid: () => boolean
  /** Whether it was taken away, as by a new password; a user who signs out only ends it. */
  readonly isRevoked: () => boolean
}

/** A session that is stored nowhere, and ends with the process. It gives tokens of any user. */
export interface ProcessSession extends Beginning {
  /** What its tokens of a user name, until one of them signs out: then others do. */
  readonly idFor: (user: string) => string
  readonly end: () => void
}

/** The session of the process itself, which needs no login, and those of pages of its console. */
export interface ProcessSessions {
  readonly own: ProcessSession
  /** Begins a session, which is to be ended, also once it is no longer valid. */
  readonly begin: (beginning: Beginning) => ProcessSession
  /** The session that a token names. */
  readonly byId: (id: string) => ProcessSession | undefined
  /** Signs out with a token: those that its session gave of that user so far are refused. */
  readonly signOut: (id: string) => void
  /** Calls a function when a session was ended or signed out of. The returned function ends that. */
  readonly onEnd: (listener: () => void) => () => void
}

/** The sessions of a process that begins. */
export function newProcessSessions(): ProcessSessions {
  const byId = new Map<string, ProcessSession>()
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }
  const begin = ({ isValid, isRevoked }: Beginning): ProcessSession => {
    const ids = new Map<string, string>()
    let hasEnded = false
    const session = {
      isValid: () => !hasEnded && isValid(),
      isRevoked,
      idFor: (user: string) => {
        const known = ids.get(user)
        if (known !== undefined && byId.has(known)) return known
        const id = randomUUID()
        ids.set(user, id)
        byId.set(id, session)
        return id
      },
      end: () => {
        hasEnded = true
        for (const id of ids.values()) byId.delete(id)
        notify()
      },
    }
    return session
  }
  return {
    own: begin({ isValid: () => true, isRevoked: () => false }),
    begin,
    byId: (id) => byId.get(id),
    signOut: (id) => {
      byId.delete(id)
      notify()
    },
    onEnd: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
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
