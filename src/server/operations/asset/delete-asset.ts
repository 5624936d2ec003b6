import { ownAsset } from '../../assets/record.ts'
import { writeAs } from '../../auth/current-user.ts'
import type { Handler } from '../handlers.ts'

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
