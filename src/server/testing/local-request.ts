import type { MonitorCommand } from '../../contract/api/socket.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { Tokens } from '../auth/tokens.ts'
import type { Removed } from '../domain/caller.ts'
import type { Clock } from '../domain/clock.ts'
import type { Store } from '../store/store.ts'
import type { ActiveScenario } from './active-scenario.ts'
import type { Journal } from './journal.ts'
import type { MovableClock } from './movable-clock.ts'

/** The connection of a user who receives events. */
interface OpenSocket {
  readonly user: string
  /** The part of the map whose events it asked for; undefined for none. */
  readonly watched: MonitorCommand['payload'] | undefined
}

/** What a service has for those who test against it; only in this process, and stored nowhere. */
export interface Testing {
  readonly clock: MovableClock
  readonly journal: Journal
  readonly scenario: ActiveScenario
  /** In the order in which they were opened. */
  readonly sockets: Set<OpenSocket>
}

/** What the service's own routes read and change. */
interface TestedService {
  readonly store: Store
  readonly clock: Clock
  /** Platform units that each publisher has in all. */
  readonly granted: number
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly testing: Testing
}

/** A request for a route of the service's own. */
export interface LocalRequest {
  readonly service: TestedService
  /** What its path names: the id of a user, or the name of a snapshot or a template; empty for other paths. */
  readonly id: string
  readonly query: unknown
  readonly body: string
  readonly baseUrl: string
  /** Has the journal say how much the request removed. */
  readonly removed: (what: Removed) => void
}
