import { ApiError } from '../../../contract/errors.ts'
import { JsonText } from '../../http/answers.ts'
import { checkReadable } from '../../records/rules.ts'
import { recordText } from '../../records/text.ts'
import { variationRecord } from '../../records/variation.ts'
import type { Handler } from '../handlers.ts'

/** A variation with the vAtom it makes: the publisher's own, or another's once it is public and published. Spec 2.5. */
export const getVariation: Handler<'getVariation'> = (scope, { name }) => {
  const row = scope.store.variations.byName(name)
  if (!row) throw new ApiError('notFound', `no template variation is named ${name}`)
  checkReadable(scope, row)
  return new JsonText(recordText(variationRecord(row)))
}
