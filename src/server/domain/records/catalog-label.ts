import { ApiError } from '../../../contract/api/errors.ts'
import type { Input } from '../../../contract/api/table.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Moment } from '../caller.ts'

/** A record. */
interface Labelled {
  readonly kind: KindName
  readonly key: string
}

/** Throws `otherCatalog` if a record has a label of another catalog than is expected. Call it inside a write. */
export function checkCatalog({ store }: Moment, { kind, key }: Labelled, query: Input<'deleteFace'>['query']): void {
  if (query?.catalog === undefined) return
  const owner = store.catalogLabels.catalogOf({ kind, key })
  if (owner !== undefined && !query.catalog.split(',').includes(owner))
    throw new ApiError('otherCatalog', `${kind} ${key} belongs to the catalog ${owner}`)
}
