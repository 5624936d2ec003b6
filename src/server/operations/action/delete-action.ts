import { writeAs } from '../../auth/current-user.ts'
import { ownAction } from '../../domain/action.ts'
import type { Handler } from '../handlers.ts'

/** Removes an action; its template may be published. */
export const deleteAction: Handler<'deleteAction'> = async (scope, { name }) => {
  await writeAs(scope, (scope) => {
    scope.store.actions.remove(ownAction(scope, name), scope.now)
  })
  return { success_message: `Action ${name} deleted.` }
}
