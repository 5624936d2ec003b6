import { ApiError } from '../../../contract/api/errors.ts'
import { writeAs } from '../../auth/current-user.ts'
import type { Handler } from '../handlers.ts'

/** Removes an action handler of the publisher's; others' are not theirs to see. */
export const deleteActionHandler: Handler<'deleteActionHandler'> = async (scope, { reactor }) => {
  const removed = await writeAs(scope, ({ store, publisher }) =>
    store.actionHandlers.remove({ publisher_fqdn: publisher, reactor }),
  )
  if (removed === 0) throw new ApiError('notFound', `no action handler is registered for ${reactor}`)
  return { success_message: `Action handler for ${reactor} deleted.` }
}
