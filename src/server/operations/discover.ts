import type { Discover } from '../../contract/api/discover.ts'
import { noEffect, warning } from '../../contract/api/warnings.ts'
import { pageOf } from '../domain/paging.ts'
import { isSampled, searchBy } from '../domain/vatoms/containers.ts'
import { countOnly, searchPage } from '../domain/vatoms/found-vatoms.ts'
import type { Handler, UserScope } from './handler.ts'

/** Searches the vAtoms the caller may see: their own and public ones. Spec 4.4. */
export const discover: Handler<'discover'> = async (scope, { body }) => {
  warnOf(scope, body)
  const { search, slices } = scope.store
  const wanted = searchBy(scope, body)
  if (body.return?.type === 'count') return countOnly(await slices.run(() => search.count(wanted), scope))
  return searchPage(scope, await slices.run(() => search.page(wanted, pageOf(body.limit, body.page)), scope))
}

function warnOf({ warn }: UserScope, body: Discover): void {
  const { return: wanted, sample, group_by } = body
  const type = wanted?.type
  if (type !== undefined && type !== '*' && type !== 'count')
    warn(warning('read-as', 'return.type', `return.type ${type} is read as *`))
  if (wanted?.fields?.length) warn(noEffect('return.fields'))
  if (isSampled(body)) return
  if (sample) warn(warning('no-effect', 'sample', 'sample has no effect without group_by'))
  if (group_by?.length) warn(warning('no-effect', 'group_by', 'group_by has no effect without sample'))
}
