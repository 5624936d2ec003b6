import { ApiError } from '../../../contract/api/errors.ts'
import { writeAs } from '../../auth/current-user.ts'
import { checkDraft, ownTemplate } from '../../domain/drafts.ts'
import type { Handler } from '../handlers.ts'

/** Deletes a draft that has no variations; its faces and actions go with it. Spec 4.6. */
export const deleteTemplate: Handler<'deleteTemplate'> = async (scope, { name }) => {
  await writeAs(scope, (scope) => {
    checkDraft(ownTemplate(scope, name))
    const variation = scope.store.variations.firstOf(name)
    if (variation) throw new ApiError('inUse', `${name} still has variations, such as ${variation}`)
    scope.store.templates.remove(name)
  })
  return { success_message: `Template ${name} deleted.` }
}
