import { ApiError } from '../../contract/api/errors.ts'
import { isLoopback } from '../../contract/api/loopback.ts'
import type { UserScope } from '../operations/handler.ts'
import type { ActionEngine } from './engine.ts'
import type { Reactor } from './reactor.ts'
import { reactors } from './reactors/index.ts'
import type { Action } from './settings.ts'

/** What carries an action out: a reactor of the service's own, or a handler at an address. */
export type Carrier = { readonly reactor: Reactor } | { readonly url: URL }

/** What carries out an action. Throws `unhandledAction` where nothing does. */
export function carrierOf(scope: UserScope, { name, publisher, settings: { reactor: called } }: Action): Carrier {
  const reactor = reactors.get(called)
  if (reactor) return { reactor }
  const handler = scope.store.actionHandlers.find({ publisher_fqdn: publisher, reactor: called })
  if (!handler)
    throw new ApiError('unhandledAction', `${name} has the reactor ${called}, for which no handler is registered`)
  const url = new URL(handler.url)
  if (mayCall(scope.environment.actions, url)) return { url }
  throw new ApiError('unhandledAction', `${name} is for the handler at ${url.host}, which ${notCalled}`)
}

/** Whether the service calls handlers at an address: on this machine, and at the hosts that were given. */
export const mayCall = ({ handlerHosts }: Pick<ActionEngine, 'handlerHosts'>, { hostname }: URL): boolean =>
  isLoopback(hostname) || handlerHosts.includes(hostname)

export const notCalled = 'this service does not call: allow it with vatom serve --allow-handler-host'
