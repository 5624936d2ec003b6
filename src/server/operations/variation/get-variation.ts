import { ApiError } from '../../../contract/api/errors.ts'
import { JsonText, recordText } from '../../domain/json-text.ts'
import { checkReadable } from '../../domain/rules.ts'
import { variationRecord } from '../../domain/variation.ts'
import type { Handler } from '../handlers.ts'

/** A variation with the vAtom it makes: the publisher's own, or another's once it is public and published. Spec 2.5. */
export const getVariation: Handler<'getVariation'> = (scope, { name }) => {
  const row = scope.store.variations.byName(name)
  if (!row) throw new ApiError('notFound', `no template variation is named ${name}`)
  checkReadable(scope, row)
  return new JsonText(recordText(variationRecord(row)))
}
