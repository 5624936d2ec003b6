import { ApiError } from '../../../contract/api/errors.ts'
import { isThereFor } from '../../domain/change-feeds.ts'
import type { Handler } from '../handlers.ts'

/**
 * What can be done with the vAtoms of a template, for everybody signed in once it is published: they may be anyone's.
 * A draft is there for its publisher's administrators, and for who owns a vAtom of it.
 */
export const listTemplateActions: Handler<'listTemplateActions'> = (scope, { template }) => {
  const row = scope.store.templates.byName(template)
  if (!row || !isThereFor(scope, row)) throw new ApiError('notFound', `no template is named ${template}`)
  return scope.store.actions.namesOf(template).map((name) => ({ name }))
}
