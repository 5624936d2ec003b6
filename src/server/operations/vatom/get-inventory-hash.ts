import { createHash } from 'node:crypto'
import type { Handler } from '../handlers.ts'

/** A hash of which vAtoms the caller has and of the version of each: another whenever anything changes. */
export const getInventoryHash: Handler<'getInventoryHash'> = ({ store, user }) => {
  const hash = createHash('sha256')
  for (const { id, sync, when_modified } of store.inventory.versions(user.id))
    hash.update(`${id} ${sync} ${when_modified}\n`)
  return { hash: hash.digest('hex') }
}
