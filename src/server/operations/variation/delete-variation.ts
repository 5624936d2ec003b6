import { ApiError } from '../../../contract/api/errors.ts'
import { writeAs } from '../../auth/current-user.ts'
import { checkDraft, ownVariation } from '../../domain/drafts.ts'
import type { Handler } from '../handlers.ts'

/** Deletes a draft that has emitted no vAtoms. Spec 2.5. */
export const deleteVariation: Handler<'deleteVariation'> = async (scope, { name }) => {
  await writeAs(scope, (scope) => {
    checkDraft(ownVariation(scope, name))
    const vatoms = scope.store.vatoms.countOf(name)
    if (vatoms > 0) throw new ApiError('inUse', `${name} has emitted ${vatoms} ${vatoms === 1 ? 'vAtom' : 'vAtoms'}`)
    scope.store.variations.remove(name)
  })
  return { success_message: `Template variation ${name} deleted.` }
}
