import type { Client } from '../../client/client.ts'
import { face } from '../../contract/kinds/face.ts'
import { limits } from '../../contract/limits.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { facesOf } from '../kinds/requests.ts'
import { inParallel } from '../service/in-parallel.ts'
import { labelOf } from './catalog-names.ts'
import { ownKey } from './owners.ts'

/** A document whose record is on a service, and the catalog that owns it. */
export interface Owned {
  readonly document: LoadedDocument
  /** What the operations call the record by. */
  readonly key: string
  readonly catalog: string
}

/** Labels records with their catalogs; `settle` is called with those that have their label. */
export async function labelRecords<T extends Owned>(
  owned: readonly T[],
  client: Pick<Client, 'labelRecords'>,
  settle: (some: readonly T[]) => void = () => {},
): Promise<void> {
  for (const [catalog, all] of groupBy(owned, (one) => labelOf(one.catalog)))
    for (let first = 0; first < all.length; first += limits.pageMax) {
      const some = all.slice(first, first + limits.pageMax)
      const records = some.map(({ document: { kind }, key }) => ({ kind, key }))
      await client.labelRecords({ body: { catalog, records } })
      settle(some)
    }
}

/** What the operations call the records of documents by that were created: their names, the ids of faces. */
export async function keysOfCreated(
  documents: readonly LoadedDocument[],
  client: Pick<Client, 'listFaces'>,
): Promise<(document: LoadedDocument) => string> {
  const created = documents.filter(({ kind }) => kind === face.name)
  const templates = new Set(created.map(({ value }) => String(value.template)))
  const found = await inParallel([...templates], (template) => facesOf(client, template))
  const ids = new Map(found.flat().map((one) => [ownKey(face.name, face.documentOf(one)), one.id]))
  return ({ kind, name, value }) => ids.get(ownKey(kind, value)) ?? name
}
