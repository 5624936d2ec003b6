import type { Section } from '../../../contract/complete.ts'
import { ApiError } from '../../../contract/errors.ts'
import { at } from '../../../contract/path.ts'
import { actionInfix } from '../../../contract/values.ts'
import type { UserScope } from '../../environment.ts'
import { reactors } from '../../reactors/index.ts'
import type { Reactor } from '../../reactors/reactor.ts'
import { visibleVatom } from '../../records/access.ts'
import type { Handler } from '../handlers.ts'

/** Performs an action that is registered for a vAtom's template; what comes of it is its reactor's. */
export const performAction: Handler<'performAction'> = async (scope, { action, body }) => {
  const output = await scope.store.write(() => {
    const vatom = visibleVatom(scope, body['this.id'])
    return reactorOf(scope, `${vatom.template}${actionInfix}${action}`, body).act(scope, vatom, body)
  })
  return { main: { output: JSON.stringify(output) } }
}

/** What carries out the action of a name. Throws `unhandledAction`; warns of what it will not look at. */
function reactorOf({ store, warn }: UserScope, name: string, body: Section): Reactor {
  const action = store.actions.byName(name)
  if (!action) throw new ApiError('unhandledAction', `no action is named ${name}`)
  const called = String(at(JSON.parse(action.json), 'properties', 'reactor'))
  const reactor = reactors.get(called)
  if (!reactor)
    throw new ApiError('unhandledAction', `${name} has the reactor ${called}, which this service does not carry out`)
  const idle = Object.keys(body).filter((key) => key !== 'this.id' && !reactor.takes.includes(key))
  if (idle.length > 0) warn(`${called} does not look at ${idle.join(', ')}`)
  return reactor
}
