import { ApiError } from '../../../contract/api/errors.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Moment } from '../caller.ts'

/** A record, and the catalog that it must belong to if it has a label; '' for none. */
interface Expected {
  readonly kind: KindName
  readonly key: string
  readonly catalog: string | undefined
}

/** Throws `otherCatalog` if a record has a label of another catalog than is expected. Call it inside a write. */
export function checkCatalog({ store }: Moment, { kind, key, catalog }: Expected): void {
  if (catalog === undefined) return
  const owner = store.catalogLabels.catalogOf({ kind, key })
  if (owner !== undefined && owner !== catalog)
    throw new ApiError('otherCatalog', `${kind} ${key} belongs to the catalog ${owner}`)
}
