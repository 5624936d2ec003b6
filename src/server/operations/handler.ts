import type { Input, Operation, Payload, Row } from '../../contract/api/table.ts'
import type { ByAnybody, ByPublisher, ByUser, Moment, Removed, Warned } from '../domain/caller.ts'
import type { JsonParts, JsonText } from '../domain/json-text.ts'
import type { Environment } from '../environment.ts'

/** What an operation knows of its request. */
export interface Scope extends Moment, Warned {
  readonly environment: Environment
  /** Address under which the caller reaches the service. */
  readonly baseUrl: string
  /** Where the request comes from: an IP address, or this process. */
  readonly address: string
  /** Whether the connection of the request is closed, so that nobody waits for the answer. */
  readonly isGone: () => boolean
  /** Counts the request's body as held until the function that it returns is called, also once it is answered. Throws `busy`. */
  readonly hold: () => () => void
  /** Has the journal say how much the request removed. */
  readonly removed: (what: Removed) => void
}

/** Of a request that needs no user; the user is known if they are signed in. */
interface AnybodyScope extends Scope, ByAnybody {}

/** Of a user's request. */
export interface UserScope extends Scope, ByUser {
  readonly session: string
}

/** Of a publisher administrator's request. */
export interface PublisherScope extends UserScope, ByPublisher {}

/** Of a request with a refresh token; `form` is how the access token is answered. */
interface RefreshScope extends UserScope {
  readonly form: 'string' | 'object'
}

interface Scopes {
  readonly none: Scope
  readonly refresh: RefreshScope
  readonly optional: AnybodyScope
  readonly user: UserScope
  readonly publisher: PublisherScope
}

/** What an operation knows of its request, by who may call it. */
type ScopeOf<K extends Operation> = Scopes[Row<K>['auth']]

/**
 * Carries out an operation and returns its payload, as a value or as JSON text, whole or in parts. The body is checked
 * when it is first read, so that a handler can check the path before.
 */
export type Handler<K extends Operation> = (
  scope: ScopeOf<K>,
  input: Input<K>,
) => Promise<Payload<K> | JsonText | JsonParts> | Payload<K> | JsonText | JsonParts

/** A handler for every operation of the table. */
export type Handlers = { readonly [K in Operation]: Handler<K> }
