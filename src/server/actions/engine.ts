import type { Turns } from '../turns.ts'
import type { Later } from './later.ts'
import type { Reservations } from './reservations.ts'

/** What the actions of a service share, whoever performs them. */
export interface ActionEngine {
  /** Hosts beyond this machine at which action handlers are called. */
  readonly handlerHosts: readonly string[]
  /** Actions that are not waited for. */
  readonly later: Later
  /** Turns of the actions that are waited for and call handlers. */
  readonly handled: Turns
  readonly reservations: Reservations
}
