import { createHash } from 'node:crypto'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { pageOf, queriedPage } from '../domain/paging.ts'
import { containersIn, parent } from '../domain/vatoms/containers.ts'
import { vatomsPage } from '../domain/vatoms/found-vatoms.ts'
import type { Mark } from '../store/search/inventory.ts'
import type { Found } from '../store/search/search.ts'
import type { Page } from '../store/table.ts'
import type { Handler, UserScope } from './handler.ts'

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

/** A page of the ids of the caller's vAtoms with the version of each; its next_token leads to the next. */
export const getInventoryIndex: Handler<'getInventoryIndex'> = (
  { store, user },
  { query: { limit, next_token } = {} },
) => {
  const size = queriedPage({ limit: limit ?? '0' }).limit
  const found = store.inventory.versions(user.id, { after: markOf(next_token), limit: size + 1 })
  const last = found.length > size ? found[size - 1] : undefined
  return {
    vatoms: found.slice(0, size).map(({ id, sync, when_modified }) => ({ id, sync, when_modified })),
    next_token: last ? `${last.created}-${last.seq}` : '',
  }
}

function markOf(token = ''): Mark | undefined {
  if (token === '') return undefined
  const [, created, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(token) ?? []
  if (created === undefined || seq === undefined) throw refusedToken()
  return { created: Number(created), seq: Number(seq) }
}

const refusedToken = () =>
  new ApiError('invalid', 'next_token is none that a page has answered', [
    { path: 'next_token', message: 'must be the next_token of a page' },
  ])

/** A hash of which vAtoms the caller has and of the version of each: another whenever anything changes. */
export const getInventoryHash: Handler<'getInventoryHash'> = ({ store, user }) => {
  const hash = createHash('sha256')
  for (const { id, sync, when_modified } of store.inventory.versions(user.id))
    hash.update(`${id} ${sync} ${when_modified}\n`)
  return { hash: hash.digest('hex') }
}
