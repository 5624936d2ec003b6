import { ownAction } from '../../records/action.ts'
import type { Handler } from '../handlers.ts'

/** Removes an action; its template may be published. */
export const deleteAction: Handler<'deleteAction'> = async (scope, { name }) => {
  await scope.store.write(() => {
    ownAction(scope, name)
    scope.store.actions.remove(name)
  })
  return { success_message: `Action ${name} deleted.` }
}
