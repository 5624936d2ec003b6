import * as z from 'zod/v4'
import { paging } from '../api/paging.ts'
import { lazy, type ValueOf } from '../schema/lazy.ts'
import { named } from '../schema/registry.ts'

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
      created_by: z.string().optional().meta({ description: 'Id of the user who uploaded it.' }),
    }),
  'A file that resources can refer to.',
)
export type AssetRecord = ValueOf<typeof AssetRecord>

/** Query of List Assets. */
export const AssetListQuery = lazy(() => z.object(paging()))
