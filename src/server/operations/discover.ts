import type { Discover } from '../../contract/api/discover.ts'
import { noEffect, warning } from '../../contract/api/warnings.ts'
import { JsonText, listText } from '../domain/json-text.ts'
import { pageOf } from '../domain/paging.ts'
import { containersIn } from '../domain/vatoms/containers.ts'
import { designsText } from '../domain/vatoms/found-vatoms.ts'
import type { Search } from '../store/search/search.ts'
import type { Handler, UserScope } from './handler.ts'

/** Searches the vAtoms the caller may see: their own and public ones. Spec 4.4. */
export const discover: Handler<'discover'> = (scope, { body }) => {
  warnOf(scope, body)
  const containers = containersIn(scope, body)
  const sample = sampleOf(body)
  const search: Search = {
    caller: scope.user.id,
    scope: body.scope,
    filters: body.filters,
    ...(containers && { containers }),
    ...(sample && { sample }),
  }
  if (body.return?.type === 'count') {
    const count = scope.store.search.count(search)
    return new JsonText(`{"results":[],${designsText(scope, [])},"count":${count}}`)
  }
  const { limit, offset } = pageOf(body.limit, body.page)
  const found = scope.store.search.page(search, limit, offset)
  const results = listText(found.map(({ json }) => json))
  return new JsonText(`{"results":${results},${designsText(scope, found)},"count":${found.length}}`)
}

/** How the search is sampled; each of the two fields has no effect without the other. */
const sampleOf = ({ sample, group_by }: Discover): Search['sample'] =>
  sample && group_by?.length ? { count: sample, by: group_by } : undefined

function warnOf({ warn }: UserScope, body: Discover): void {
  const { return: wanted, sample, group_by } = body
  const type = wanted?.type
  if (type !== undefined && type !== '*' && type !== 'count')
    warn(warning('read-as', 'return.type', `return.type ${type} is read as *`))
  if (wanted?.fields?.length) warn(noEffect('return.fields'))
  if (sampleOf(body)) return
  if (sample) warn(warning('no-effect', 'sample', 'sample has no effect without group_by'))
  if (group_by?.length) warn(warning('no-effect', 'group_by', 'group_by has no effect without sample'))
}
