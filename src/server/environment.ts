import type { ActionEngine } from './actions/engine.ts'
import type { Assets } from './assets/asset-folder.ts'
import type { Logins } from './auth/attempts.ts'
import type { ConfiguredSessions } from './auth/configured-sessions.ts'
import type { Passwords } from './auth/passwords.ts'
import type { ProcessSessions } from './auth/process-sessions.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Clock } from './domain/clock.ts'
import type { Pricing } from './domain/records/charges.ts'
import type { HeldBodies } from './held-bodies.ts'
import type { Log } from './log.ts'
import type { RequestCounts } from './monitoring/request-counts.ts'
import type { Traces } from './monitoring/traces.ts'
import type { CallLimit } from './request/call-limit.ts'
import type { DryRuns } from './request/dry-runs.ts'
import type { Seed } from './seed.ts'
import type { StartState } from './snapshots/start-state.ts'
import type { Store } from './store/store.ts'
import type { Testing } from './testing/local-request.ts'

/** What metrics and traces are made of. */
interface Monitoring {
  /** Undefined where no traces are sent. */
  readonly traces: Traces | undefined
  readonly requests: RequestCounts
  /** How many there are now. */
  readonly open: { connections: number; websockets: number }
}

/** The parts of a service, shared by all of its requests. */
export interface Environment extends Pricing {
  readonly store: Store
  readonly assets: Assets
  readonly clock: Clock
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly logins: Logins
  readonly callLimit: CallLimit
  readonly appId: string
  readonly compat: 'spec' | 'sdk'
  readonly strictSpec: boolean
  readonly seed: Seed
  readonly actions: ActionEngine
  readonly dryRuns: DryRuns
  readonly heldBodies: HeldBodies
  /** Lists of dry runs that are being carried out: each of their requests waits for its turn. */
  readonly heldLists: HeldBodies
  /** Bytes that the service may take. */
  readonly memory: number
  /** Connections of clients that may be open at once. */
  readonly connections: number
  readonly processSessions: ProcessSessions
  readonly configuredSessions: ConfiguredSessions
  /** Takes one line a request or event; undefined where there is no log. */
  readonly log: Log | undefined
  /** Why requests are refused by what is no longer the newest version here, as the log has said it; with the file of its code that is gone. */
  readonly outdated: Map<string, unknown>
  /** Clock, journal and scenario, for tests against the service. */
  readonly testing: Testing
  readonly monitoring: Monitoring
  /** The folder of the snapshots of a temporary service; undefined for a lasting one. */
  readonly temporary: string | undefined
  /** What a temporary service returns to between tests. */
  readonly start: StartState
}
