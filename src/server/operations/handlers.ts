import type { Input, Operation, Payload, Row } from '../../contract/api/api.ts'
import type { JsonText } from '../domain/json-text.ts'
import type { AnybodyScope, PublisherScope, RefreshScope, Scope, UserScope } from '../environment.ts'

interface Scopes {
  readonly none: Scope
  readonly refresh: RefreshScope
  readonly optional: AnybodyScope
  readonly user: UserScope
  readonly publisher: PublisherScope
}

/** What a handler of an operation is told about its request. */
type ScopeOf<K extends Operation> = Scopes[Row<K>['auth']]

/**
 * Answers one operation: its payload, as a value or as JSON text. The body is checked when it is first read, so
 * that a handler settles the path before the body.
 */
export type Handler<K extends Operation> = (
  scope: ScopeOf<K>,
  input: Input<K>,
) => Promise<Payload<K> | JsonText> | Payload<K> | JsonText

/** A handler for every operation of the table. */
export type Handlers = { readonly [K in Operation]: Handler<K> }
