import { ApiError } from '../../../contract/api/errors.ts'
import { queriedPage } from '../../domain/paging.ts'
import type { Mark } from '../../store/inventory.ts'
import type { Handler } from '../handlers.ts'

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
