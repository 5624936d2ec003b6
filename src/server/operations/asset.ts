import type { AssetRecord } from '../../contract/api/asset.ts'
import { api } from '../../contract/api/table.ts'
import { type Received, storeUpload } from '../assets/receive.ts'
import { checkOwn, found } from '../domain/access.ts'
import { writeAs } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { queriedPage } from '../domain/paging.ts'
import type { AssetRow } from '../store/assets.ts'
import type { Handler, PublisherScope } from './handler.ts'

/** Stores the files of a request as assets, all of them or none. */
export const uploadAssets: Handler<'uploadAssets'> = async (scope, { files }) => {
  const { assets } = scope.environment
  const rows = await storeUpload(assets, files, api.uploadAssets.upload, (received) =>
    writeAs(scope, (scope) => {
      const rows = received.map((file) => assetRow(scope, file))
      for (const row of rows) scope.store.assets.insert(row)
      assets.store(received)
      return rows
    }),
  )
  return rows.map((row) => assetRecord(row, scope.baseUrl))
}

const assetRow = ({ publisher, user, now }: PublisherScope, { path: _, ...file }: Received): AssetRow => ({
  ...file,
  publisher_fqdn: publisher,
  created_by: user.id,
  when_created: timestamp(now),
})

/** An asset as it is answered: its address begins with the address that the caller used. */
const assetRecord = ({ publisher_fqdn: _, ...row }: AssetRow, baseUrl: string): AssetRecord => ({
  ...row,
  url: `${baseUrl}/assets/${row.id}/${encodeURIComponent(row.name)}`,
})

/** A page of the publisher's assets, in order of upload. */
export const listAssets: Handler<'listAssets'> = async (
  { store, environment: { assets }, publisher, baseUrl },
  { query },
) => {
  await assets.tidy()
  return store.assets.page({ publisher, ...queriedPage(query) }).map((row) => assetRecord(row, baseUrl))
}

/** Deletes an asset, then its file: a crash in between leaves a file that is not recorded. */
export const deleteAsset: Handler<'deleteAsset'> = async (scope, { id }) => {
  await scope.environment.assets.tidy()
  await writeAs(scope, (scope) => {
    const { publisher_fqdn } = found(scope.store.assets.byId(id), `asset has the id ${id}`)
    checkOwn(scope, { name: `asset ${id}`, publisher_fqdn })
    scope.store.assets.remove(id)
  })
  await scope.environment.assets.remove(id)
  return { success_message: `Asset ${id} deleted.` }
}
