import { ApiError } from '../../../contract/errors.ts'
import type { UserScope } from '../../environment.ts'
import { isOwn } from '../../records/rules.ts'
import type { TemplateRow } from '../../store/templates.ts'
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

const isThereFor = (scope: UserScope, row: TemplateRow): boolean =>
  row.unpublished === 0 || isOwn(scope, row) || scope.store.vatoms.ownsAny(scope.user.id, row.name)
