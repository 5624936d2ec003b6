import type { Discover } from '../../../contract/discover.ts'
import type { UserScope } from '../../environment.ts'
import { JsonText } from '../../http/answers.ts'
import { pageOf } from '../../http/paging.ts'
import { containersIn } from '../../records/containers.ts'
import { listText } from '../../records/text.ts'
import type { Handler } from '../handlers.ts'

/** Searches the vAtoms the caller may see: their own and public ones. Spec 4.4. */
export const discover: Handler<'discover'> = (scope, { body }) => {
  warnOf(scope, body)
  const containers = containersIn(scope, body)
  const search = { caller: scope.user.id, scope: body.scope, filters: body.filters, ...(containers && { containers }) }
  if (body.return?.type === 'count') return pageText({ count: scope.store.search.count(search) })
  const { limit, offset } = pageOf(body.limit, body.page)
  const found = scope.store.search.page(search, limit, offset)
  const templates = [...new Set(found.map(({ template }) => template))]
  return pageText({
    results: found.map(({ json }) => json),
    faces: templates.flatMap((template) => scope.store.faces.ofTemplate(template)),
    actions: templates.flatMap((template) => scope.store.actions.ofTemplate(template)),
    count: found.length,
  })
}

interface Texts {
  readonly results?: readonly string[]
  readonly faces?: readonly string[]
  readonly actions?: readonly string[]
  readonly count: number
}

/** Records are kept as the text they are answered with: a page is texts joined. */
const pageText = ({ results = [], faces = [], actions = [], count }: Texts): JsonText =>
  new JsonText(
    `{"results":${listText(results)},"faces":${listText(faces)},"actions":${listText(actions)},"count":${count}}`,
  )

function warnOf({ warn }: UserScope, { return: wanted, sample, group_by }: Discover): void {
  const type = wanted?.type
  if (type !== undefined && type !== '*' && type !== 'count') warn(`return.type ${type} is taken for *`)
  if (sample !== undefined) warn('sample has no effect')
  if (group_by !== undefined) warn('group_by has no effect')
}
