import type { AssetRecord } from '../../contract/api/asset.ts'
import { checkOwn, found } from '../domain/access.ts'
import type { ByPublisher } from '../domain/caller.ts'
import type { AssetRow } from '../store/assets.ts'

/** An asset as it is answered: its address is under the one that the caller used. */
export const assetRecord = ({ publisher_fqdn: _, ...row }: AssetRow, baseUrl: string): AssetRecord => ({
  ...row,
  url: `${baseUrl}/assets/${row.id}/${encodeURIComponent(row.name)}`,
})

/** The publisher's own asset of an id, or the declared refusal. */
export function ownAsset(scope: ByPublisher, id: string): AssetRow {
  const row = found(scope.store.assets.byId(id), `asset has the id ${id}`)
  checkOwn(scope, { name: `asset ${id}`, publisher_fqdn: row.publisher_fqdn })
  return row
}
