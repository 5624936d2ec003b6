import { ApiError } from '../../../contract/api/errors.ts'
import { JsonText, recordText } from '../../domain/json-text.ts'
import { checkReadable } from '../../domain/rules.ts'
import { templateRecord } from '../../domain/template.ts'
import type { Handler } from '../handlers.ts'

/**
 * A template, for its publisher's administrators; for everybody signed in once it is public and published. Spec 2.2.
 */
export const getTemplate: Handler<'getTemplate'> = (scope, { name }) => {
  const row = scope.store.templates.byName(name)
  if (!row) throw new ApiError('notFound', `no template is named ${name}`)
  checkReadable(scope, row)
  return new JsonText(recordText(templateRecord(row)))
}
