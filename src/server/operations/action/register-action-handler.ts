import { errorAt } from '../../../contract/api/errors.ts'
import { mayCall, notCalled } from '../../actions/carriers.ts'
import { writeAs } from '../../auth/current-user.ts'
import { timestamp } from '../../clock.ts'
import type { Handler } from '../handlers.ts'

/** Registers where requests for a reactor of the publisher's own go. */
export const registerActionHandler: Handler<'registerActionHandler'> = async (scope, { body }) => {
  const { reactor, url } = body
  if (!mayCall(scope.environment.actions, new URL(url))) scope.warn(`${new URL(url).host} is a host that ${notCalled}`)
  const key = { publisher_fqdn: scope.publisher, reactor }
  await writeAs(scope, (scope) => {
    if (scope.store.actionHandlers.find(key))
      throw errorAt('reactor', 'nameTaken', `a handler for ${reactor} is registered already: delete that one first`)
    const made = { created_by: scope.user.id, when_created: timestamp(scope.now) }
    scope.store.actionHandlers.insert({ ...key, url, ...made })
  })
  return { success_message: `Action handler for ${reactor} registered.` }
}
