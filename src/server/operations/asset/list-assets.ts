import { assetRecord } from '../../assets/record.ts'
import { queriedPage } from '../../domain/paging.ts'
import type { Handler } from '../handlers.ts'

/** A page of the publisher's assets, in order of upload. */
export const listAssets: Handler<'listAssets'> = async (
  { store, environment: { assets }, publisher, baseUrl },
  { query },
) => {
  await assets.tidy()
  return store.assets.page({ publisher, ...queriedPage(query) }).map((row) => assetRecord(row, baseUrl))
}
