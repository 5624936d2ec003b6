import { change, checkMayLeave } from '../../actions/change-set.ts'
import { writeAs } from '../../auth/current-user.ts'
import { timestamp } from '../../clock.ts'
import { ownVatom } from '../../domain/access.ts'
import type { Handler } from '../handlers.ts'

/** Takes a vAtom of the caller's, with what is in it, out of everybody's reach. */
export const trashVatom: Handler<'trashVatom'> = async (scope, { body }) => {
  const id = body['this.id']
  await writeAs(scope, (scope) => {
    const vatom = ownVatom(scope, id)
    checkMayLeave(scope, vatom)
    change({ scope, name: 'Trash', vatom }, () => scope.store.vatoms.trash(id, timestamp(scope.now)))
  })
  return { success_message: `vAtom ${id} trashed.` }
}
