import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, listOf, named, type ValueOf } from '../schema/lazy-schema.ts'
import { ownRecord, type Rows } from './endpoint.ts'
import { paging } from './paging.ts'

/** An uploaded file. `url` is absolute and needs no authorization; `size` is in bytes. */
export const AssetRecord = named(
  'AssetRecord',
  () =>
    z.looseObject({
      id: z.string(),
      name: z.string(),
      content_type: z.string(),
      size: z.int(),
      sha256: z.string(),
      url: z.string(),
      when_created: z.string(),
      created_by: z.string().optional().describe('Id of the user who uploaded it.'),
    }),
  'A file that resources can refer to.',
)
export type AssetRecord = ValueOf<typeof AssetRecord>

/** Query of List Assets. */
export const AssetListQuery = lazy(() => z.object(paging()))

/** Operations on a publisher's assets. */
export const assetRows = {
  uploadAssets: {
    method: 'POST',
    path: '/v1/publisher/asset',
    auth: 'publisher',
    summary: 'Upload assets',
    upload: { files: limits.assets, bytes: limits.asset },
    payload: listOf(AssetRecord),
    errors: ['invalid', 'tooLarge'],
    assumed:
      'the path and the shape: multipart/form-data, every file part an asset; the type is recognized by the content',
    details: [
      `at most ${limits.assets} files of ${limits.asset / 2 ** 20} MiB each`,
      'anyone can read an asset at its address under /assets, without authorization',
    ],
  },
  listAssets: {
    method: 'GET',
    path: '/v1/publisher/asset',
    auth: 'publisher',
    summary: "List the publisher's assets",
    query: AssetListQuery,
    payload: listOf(AssetRecord),
    errors: ['invalid'],
    assumed: 'the path and the shape; in order of upload',
  },
  deleteAsset: {
    method: 'DELETE',
    path: '/v1/publisher/asset/:id',
    auth: 'publisher',
    summary: 'Delete an asset',
    errors: ownRecord,
    assumed: 'the path; resources that refer to it are left as they are',
  },
} as const satisfies Rows
