import { writeAs } from '../../auth/current-user.ts'
import { timestamp } from '../../clock.ts'
import { againstMove, type Target, targetOf } from '../../domain/moves.ts'
import type { UserScope } from '../../environment.ts'
import { tellChange } from '../../events/change.ts'
import type { Handler } from '../handlers.ts'

/**
 * Moves vAtoms of the caller's into a folder of theirs or to the root, one after the other, each that may be moved;
 * the others are told why not. Spec 2.4.
 */
export const updateVatoms: Handler<'updateVatoms'> = (scope, { body: { ids, parent_id } }) =>
  writeAs(scope, (scope) => {
    const target = targetOf(scope, parent_id)
    const told = [...new Set(ids)].map((id) => ({ id, why: moved(scope, id, target) }))
    const refused = told.flatMap(({ id, why }) => (why === undefined ? [] : [[id, why] as const]))
    const updated = told.filter(({ why }) => why === undefined).map(({ id }) => id)
    return {
      num_updated: updated.length,
      num_errors: refused.length,
      error_messages: Object.fromEntries(refused),
      ids: updated,
    }
  })

/** Moves a vAtom that is not there yet, or answers why it cannot be moved. */
function moved(scope: UserScope, id: string, target: Target): string | undefined {
  if ('why' in target) return target.why
  const { store, now } = scope
  const vatom = store.vatoms.byId(id)
  if (!vatom) return 'no vAtom has this id'
  if (vatom.parent_id === target.folder.id && vatom.owner === scope.user.id) return undefined
  const why = againstMove(scope, vatom, target)
  if (why !== undefined) return why
  store.vatoms.move([id], target.folder, timestamp(now))
  const after = store.vatoms.byId(id)
  if (after) tellChange(scope, 'Update', vatom, after)
  return undefined
}
