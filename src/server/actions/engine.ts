import type { ByUser, Warned } from '../domain/caller.ts'
import type { Turns } from '../store/turns.ts'
import type { Later } from './background-actions.ts'
import type { callHandler } from './handlers.ts'
import type { HostLookUps } from './host-look-ups.ts'
import type { RunLeases } from './run-leases.ts'

/** What all actions of a service share. */
export interface ActionEngine {
  /** Hosts beyond this machine at which action handlers are called. */
  readonly handlerHosts: readonly string[]
  readonly lookUps: HostLookUps
  /** Actions that are not waited for. */
  readonly later: Pick<Later, keyof Later>
  /** The queue of actions that are waited for and call handlers. */
  readonly handled: Turns
  /** The runs of limited actions that are under way. */
  readonly leases: RunLeases
  /** Has a publisher's handler carry out an action. */
  readonly call: typeof callHandler
}

/** The request of a user who performs an action. */
export interface ActingScope extends ByUser, Warned {
  /** Where the request comes from. */
  readonly address: string
  /** Whether its connection is closed. */
  readonly isGone: () => boolean
  /** Counts the request's body as held until the function that it returns is called, also once it is answered. Throws `busy`. */
  readonly hold: () => () => void
  readonly environment: {
    readonly actions: ActionEngine
    readonly log: ((line: string) => void) | undefined
    readonly store: ByUser['store']
  }
}
