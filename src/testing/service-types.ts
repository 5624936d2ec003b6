import type { Client } from '../client/client.ts'
import type { Scenario } from '../contract/api/scenario.ts'
import type { Operation } from '../contract/api/table.ts'
import type { TestUser } from '../contract/api/test-users.ts'

/** How a service for tests is started; everything has a default. */
export interface StartOptions {
  /** Ids, codes and numbers left to chance are the same for the same seed; `vatom`. */
  readonly seed?: string | number
  /** Files, folders or patterns of documents that the service begins with. */
  readonly catalog?: string | readonly string[]
  /** Domain name of the publisher; `local.vatom`. */
  readonly publisher?: string
  /** Users that the service begins with. */
  readonly users?: readonly TestUser[]
  /** The time at the start, from which it runs on; the real time. */
  readonly now?: Date | string
  /** Port of this machine; a free one. */
  readonly port?: number
  /** Delays and failures that requests over HTTP get. */
  readonly scenario?: Scenario
  /** Calls a minute that operations with a limit accept; any number. */
  readonly callsPerMinute?: number
  /** `sdk` answers a missing or expired access token with the 401 that mobile clients need. */
  readonly compat?: 'spec' | 'sdk'
  /** Refuses operations, fields and values that the specification does not name. */
  readonly strictSpec?: boolean
  /** Hosts beyond this machine at which action handlers are called. */
  readonly handlerHosts?: readonly string[]
  /** Receives one line for each request. */
  readonly log?: (line: string) => void
}

/** Somebody who calls the service. */
export interface ServiceUser {
  readonly id: string
  /** The token that they sign in with, and its type. */
  readonly token: string
  readonly tokenType: string
  readonly password: string
  /** Valid for 5 minutes of the service's time. */
  readonly accessToken: string
  readonly refreshToken: string
  /** Calls the service in this process as this user; a scenario does not apply to it. */
  readonly client: Client
}

/** The publisher's administrator. */
export interface Publisher extends ServiceUser {
  /** The domain name, with which the names of templates and variations begin. */
  readonly fqdn: string
}

/** A code or pin that a user was sent. */
export interface OutboxMessage {
  readonly to: string
  readonly tokenType: string
  readonly kind: string
  readonly code: string
}

/** The messages that users were sent. */
export interface Outbox {
  /** Oldest first; those to one address if it is given. */
  messages(to?: string): readonly OutboxMessage[]
  /** The code that an address was sent last; undefined if there is none. */
  codeFor(to: string): string | undefined
}

/** A request over HTTP, or of a client of this process. */
export interface JournalEntry {
  readonly when: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Null where the connection was dropped. */
  readonly status: number | null
  readonly operation?: Operation
  /** Id of the user who sent it. */
  readonly user?: string
  /** Application code of the error. */
  readonly error?: number
  /** Whether a scenario was applied to it. */
  readonly injected?: boolean
  /** The bodies, the first 65,536 characters of each, without passwords, tokens and codes. */
  readonly sent?: string
  readonly answered?: string
}

/** Which requests are looked for; each that is left out is any. */
export interface JournalFilter {
  readonly operation?: Operation
  readonly method?: string
  /** A path without its query, or a pattern such as `/v1/user/*`. */
  readonly path?: string
  readonly status?: number
  readonly user?: string | ServiceUser
}

/** The latest 1000 requests since the start or the last reset. */
export interface Journal {
  /** Oldest first. */
  find(filter?: JournalFilter): readonly JournalEntry[]
  count(filter?: JournalFilter): number
  /** Throws unless exactly so many requests fit; the message says which there are. */
  verify(filter: JournalFilter, count: number): void
  /** Resolves with the requests that fit, once there are `count`. Throws as `verify` does when the time is over. */
  waitFor(filter?: JournalFilter, options?: WaitOptions & { readonly count?: number }): Promise<readonly JournalEntry[]>
  clear(): void
}

/** How long something is waited for. */
export interface WaitOptions {
  /** Milliseconds; 5000. */
  readonly timeout?: number
}

/** A length of time. */
export interface Duration {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

/** The service's time. */
export interface TestClock {
  now(): Date
  set(time: Date | string): void
  advance(by: Duration): void
  /** Stands still, at a time if one is given. */
  freeze(at?: Date | string): void
  /** Runs on from the time at which it stands still. */
  unfreeze(): void
}

/** Delays and failures of requests over HTTP. */
export interface ActiveScenario {
  /** Replaces the rules. */
  set(rules: Scenario): void
  /** The rules, each with how often it can still be applied: null for always. */
  rules(): readonly { readonly remaining: number | null }[]
  /** Ends it. */
  clear(): void
}

/** An event as the users whom it concerns receive it; `user` is empty for one that everybody receives. */
export interface ServiceEvent {
  readonly type: string
  readonly user: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Which events are looked for; each that is left out is any. */
export interface EventFilter {
  readonly type?: string
  readonly user?: string | ServiceUser
}

/** A copy of all data. */
export interface ServiceSnapshot {
  readonly id: number
}

/** What vAtoms are emitted with. */
export interface EmitOptions {
  /** How many; 1. */
  readonly num?: number
  /** Who gets them, by the action Transfer of their template; the publisher if it is left out. */
  readonly to?: string | ServiceUser
}

/** What an action is performed with. */
export interface ActOptions {
  /** Who performs it; the publisher if it is left out. */
  readonly as?: ServiceUser
  /** Further inputs of the action. */
  readonly input?: Readonly<Record<string, unknown>>
}

/** A service in this process, with its data in memory. */
export interface TestService extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string
  /** Address of the WebSocket with events. */
  readonly wsUrl: string
  readonly appId: string
  readonly publisher: Publisher
  /** The publisher's client. */
  readonly client: Client
  /** The users that the service began with, in the order of the option. */
  readonly users: readonly ServiceUser[]
  readonly clock: TestClock
  readonly journal: Journal
  readonly outbox: Outbox
  readonly scenario: ActiveScenario
  /** Makes a user, who is signed in: activated, unless the fields say otherwise. */
  createUser(fields?: TestUser): Promise<ServiceUser>
  /** Emits vAtoms of a variation, by its whole name or the part after the publisher's; answers their ids. */
  emit(variation: string, options?: EmitOptions): Promise<string[]>
  /** Performs an action on a vAtom, and waits until it is done; answers its output. */
  act(action: string, vatom: string, options?: ActOptions): Promise<Readonly<Record<string, unknown>>>
  /** The events since the start or the last reset, oldest first. */
  events(filter?: EventFilter): readonly ServiceEvent[]
  /** Resolves with the first of them, once there is one. Throws when the time is over. */
  waitForEvent(filter?: EventFilter, options?: WaitOptions): Promise<ServiceEvent>
  /** Resolves once actions that are not waited for, which is the default of actions, are done. */
  settled(): Promise<void>
  /** Copies all data. */
  snapshot(): Promise<ServiceSnapshot>
  /** Returns to a copy. */
  restore(snapshot: ServiceSnapshot): Promise<void>
  /** Returns to the state at the start: data, ids, time, scenario and an empty journal. Copies are removed. */
  reset(): Promise<void>
  close(): Promise<void>
}
