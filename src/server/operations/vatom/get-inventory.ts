import { limits } from '../../../contract/limits.ts'
import { containersIn, parent } from '../../domain/containers.ts'
import { vatomsPage } from '../../domain/page.ts'
import { type Page, pageOf } from '../../domain/paging.ts'
import type { UserScope } from '../../environment.ts'
import type { Found } from '../../store/search/search.ts'
import type { Handler } from '../handlers.ts'

const everything = '*'

/** A page of the caller's vAtoms, all of them or those of one folder; past the end, nothing of any kind. */
export const getInventory: Handler<'getInventory'> = (scope, { body }) => {
  const size = Math.min(body.limit || limits.inventory, limits.inventory)
  return vatomsPage(scope, found(scope, body.parent_id ?? everything, pageOf(size, body.page ?? undefined)))
}

function found(scope: UserScope, folder: string, { limit, offset }: Page): readonly Found[] {
  const { store, user } = scope
  if (folder === everything) return store.inventory.all(user.id, { limit, offset })
  // A folder is one value, whatever commas its id has.
  const containers = folder.includes(',') ? undefined : containersIn(scope, { scope: { key: parent, value: folder } })
  if (!containers) return store.inventory.inside(folder, user.id, { limit, offset })
  return store.search.page({ caller: user.id, scope: { key: parent, value: folder }, containers }, limit, offset)
}
