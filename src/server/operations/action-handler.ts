import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { mayCall, notCalled } from '../actions/handlers.ts'
import { writeAs } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { queriedPage } from '../domain/paging.ts'
import { recordMeta } from '../domain/records/meta.ts'
import type { ActionHandlerRow } from '../store/actions.ts'
import type { Handler } from './handler.ts'

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

/** A page of the publisher's action handlers, by reactor. */
export const listActionHandlers: Handler<'listActionHandlers'> = ({ store, publisher }, { query }) =>
  store.actionHandlers.page({ publisher, ...queriedPage(query) }).map(handlerRecord)

/** A handler is never changed: who made it last touched it. */
const handlerRecord = ({ reactor, url, created_by, when_created }: ActionHandlerRow) => ({
  reactor,
  url,
  meta: recordMeta(
    { created_by, when_created, modified_by: created_by, when_modified: when_created },
    'v1::ActionHandlerType',
  ),
})

/** Removes an action handler of the publisher's; others' are not theirs to see. */
export const deleteActionHandler: Handler<'deleteActionHandler'> = async (scope, { reactor }) => {
  const removed = await writeAs(scope, ({ store, publisher }) =>
    store.actionHandlers.remove({ publisher_fqdn: publisher, reactor }),
  )
  if (removed === 0) throw new ApiError('notFound', `no action handler is registered for ${reactor}`)
  return { success_message: `Action handler for ${reactor} deleted.` }
}
