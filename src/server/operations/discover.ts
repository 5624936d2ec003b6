import type { Discover } from '../../contract/api/discover.ts'
import { noEffect, warning } from '../../contract/api/warnings.ts'
import { JsonText, listText } from '../domain/json-text.ts'
import { pageOf } from '../domain/paging.ts'
import { containersIn } from '../domain/vatoms/containers.ts'
import { designsText } from '../domain/vatoms/found-vatoms.ts'
import type { Handler, UserScope } from './handler.ts'

/** Searches the vAtoms the caller may see: their own and public ones. Spec 4.4. */
export const discover: Handler<'discover'> = (scope, { body }) => {
  warnOf(scope, body)
  const containers = containersIn(scope, body)
  const search = { caller: scope.user.id, scope: body.scope, filters: body.filters, ...(containers && { containers }) }
  if (body.return?.type === 'count') {
    const count = scope.store.search.count(search)
    return new JsonText(`{"results":[],${designsText(scope, [])},"count":${count}}`)
  }
  const { limit, offset } = pageOf(body.limit, body.page)
  const found = scope.store.search.page(search, limit, offset)
  const results = listText(found.map(({ json }) => json))
  return new JsonText(`{"results":${results},${designsText(scope, found)},"count":${found.length}}`)
}

function warnOf({ warn }: UserScope, { return: wanted, sample, group_by }: Discover): void {
  const type = wanted?.type
  if (type !== undefined && type !== '*' && type !== 'count')
    warn(warning('read-as', 'return.type', `return.type ${type} is read as *`))
  if (wanted?.fields?.length) warn(noEffect('return.fields'))
  for (const [field, value] of Object.entries({ sample, group_by })) if (value !== undefined) warn(noEffect(field))
}
