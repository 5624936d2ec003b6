import { ApiError } from '../../../contract/errors.ts'
import { JsonText } from '../../http/answers.ts'
import { templateText } from '../../records/template.ts'
import type { Handler } from '../handlers.ts'

/**
 * A template, for its publisher's administrators; for everybody signed in once it is public and published. Spec 2.2.
 */
export const getTemplate: Handler<'getTemplate'> = ({ store, user }, { name }) => {
  const row = store.templates.byName(name)
  if (!row) throw new ApiError('notFound', `no template is named ${name}`)
  const own = user.is_admin === 1 && user.pub_fqdn === row.publisher_fqdn
  const open = row.public === 1 && row.unpublished === 0
  if (!own && !open) throw new ApiError('foreignRecord', `${name} belongs to another publisher`)
  return new JsonText(templateText(row))
}
