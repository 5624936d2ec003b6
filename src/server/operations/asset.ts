import type { AssetRecord } from '../../contract/api/asset.ts'
import { api } from '../../contract/api/table.ts'
import type { Files } from '../../contract/api/wire.ts'
import { type Received, receiveAll, stored } from '../assets/receive.ts'
import { assetRecord, ownAsset } from '../assets/record.ts'
import { writeAs } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { queriedPage } from '../domain/paging.ts'
import type { AssetRow } from '../store/assets.ts'
import type { Handler, PublisherScope } from './handler.ts'

/** Stores the files of a request as assets, all of them or none. */
export const uploadAssets: Handler<'uploadAssets'> = (scope, { files }) => stored(upload(scope, files))

async function upload(scope: PublisherScope, files: Files): Promise<AssetRecord[]> {
  const { assets } = scope.environment
  await assets.tidy()
  const received = await receiveAll(assets, files, api.uploadAssets.upload)
  const rows = received.map((one) => assetRow(scope, one))
  try {
    await writeAs(scope, (scope) => {
      for (const row of rows) scope.store.assets.insert(row)
      assets.store(received)
    })
  } catch (error) {
    assets.discard(received)
    assets.untidy()
    throw error
  }
  return rows.map((row) => assetRecord(row, scope.baseUrl))
}

const assetRow = (
  { publisher, user, now }: PublisherScope,
  { id, name, content_type, size, sha256 }: Received,
): AssetRow => ({
  id,
  publisher_fqdn: publisher,
  name,
  content_type,
  size,
  sha256,
  created_by: user.id,
  when_created: timestamp(now),
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
    ownAsset(scope, id)
    scope.store.assets.remove(id)
  })
  await scope.environment.assets.remove(id)
  return { success_message: `Asset ${id} deleted.` }
}
