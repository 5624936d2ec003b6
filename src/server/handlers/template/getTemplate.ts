import { ApiError } from '../../../contract/errors.ts'
import { JsonText } from '../../http/answers.ts'
import { checkReadable } from '../../records/rules.ts'
import { templateRecord } from '../../records/template.ts'
import { recordText } from '../../records/text.ts'
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
