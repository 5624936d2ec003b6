import { ApiError } from '../../../contract/errors.ts'
import type { Handler } from '../handlers.ts'

/** What can be done with the vAtoms of a template, for everybody signed in: they may be anyone's. */
export const listTemplateActions: Handler<'listTemplateActions'> = ({ store }, { template }) => {
  if (!store.templates.byName(template)) throw new ApiError('notFound', `no template is named ${template}`)
  return store.actions.namesOf(template).map((name) => ({ name }))
}
