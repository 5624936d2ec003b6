import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { Discover } from '../../contract/api/discover.ts'
import type { Payload } from '../../contract/api/table.ts'
import { limits } from '../../contract/limits.ts'
import { listAt } from '../../contract/schema/path.ts'
import { publisherPlaceholder } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { shellWord, styled } from '../io/text.ts'
import { checkValue, soleValue, sourceOf } from '../kinds/load-checked.ts'
import type { Place } from '../service/every-page.ts'
import { newOnEachPage } from '../service/new-on-each-page.ts'
import { assumedPublisher } from '../service/publisher.ts'
import { checkPageOptions, type PageOptions, printList } from '../vatoms/paged-list.ts'
import { builtIn, usualColumns, type Vatom } from '../vatoms/vatom-table.ts'
import { ownScope, parseFilter, parseScope } from './query.ts'

export interface DiscoverOptions extends PageOptions {
  readonly mine?: boolean
  readonly scope?: string
  readonly filter?: readonly string[]
  readonly any?: boolean
  readonly file?: string
  readonly count?: boolean
  readonly explain?: boolean
}

export async function discover(options: DiscoverOptions, context: Context): Promise<void> {
  checkOptions(options)
  checkPageOptions(options, context.output)
  const body = await bodyOf(options, context)
  const { unlistedFields, unlistedMessage } = await import('../../contract/rules/query-fields.ts')
  for (const { field } of unlistedFields(body)) context.output.warn(styled`${unlistedMessage(field)}`)
  if (options.explain) return (await import('./explain-query.ts')).explainQuery(body, context)
  const { client } = await context.connect()
  if (body.return?.type === 'count') {
    const found = await counted(client, body, context.host)
    return context.output.result(found, () => [String(found.count)])
  }
  const list = {
    size: discoverSize,
    ask: (place: Place) => client.discover({ body: { ...body, ...place } }),
    vatomsOf: ({ results }: { results: readonly Vatom[] }) => results,
    fieldsOf: (results: readonly Vatom[]) => ({ results, count: results.length }),
    columns: [...usualColumns, ['VISIBILITY', builtIn('visibility', 'type')] as const],
  }
  const { limit, page } = { ...body, ...options }
  await printList(
    list,
    { ...options, ...(limit !== undefined && { limit }), ...(page !== undefined && { page }) },
    context,
  )
}

/** How many there are. A service that answers only whole vAtoms is asked for every page of them. Spec 4.4. */
async function counted(client: Client, body: Discover, host: Context['host']): Promise<Payload<'discover'>> {
  try {
    return await client.discover({ body })
  } catch (error) {
    if (!(error instanceof ServiceError && error.issues.some(({ path }) => path === 'return.type'))) throw error
    let count = 0
    const whole = { ...body, return: { type: '*' as const } }
    const ask = async (place: Place) => {
      host.signal.throwIfAborted()
      return (await client.discover({ body: { ...whole, ...place } })).results
    }
    for await (const vatoms of newOnEachPage({ ask, limit: discoverSize.ofAll, keyOf: ({ id }) => id }))
      count += vatoms.length
    return { results: [], faces: [], actions: [], count }
  }
}

/** VAtoms per page. Spec 8. */
export const discoverSize = { usual: limits.page, most: limits.pageMax, ofAll: limits.pageOfAll }

function checkOptions({ mine, scope, all, count, page, any, filter, explain, ndjson }: DiscoverOptions): void {
  if (explain && (all || count || page !== undefined)) throw usage('--explain excludes --all, --count and --page')
  if (mine && scope !== undefined)
    throw usage(
      '--mine and --scope exclude each other',
      `--mine is --scope owner=$currentuser; for those of yours that it finds: --mine --filter ${shellWord(scope)}`,
    )
  if (count && (all || ndjson)) throw usage(`--count excludes ${all ? '--all' : '--ndjson'}`)
  if (any && filter === undefined) throw usage('--any goes with --filter')
}

/** The query of the file, narrowed by flags. Throws a usage error for a second scope. */
async function bodyOf(options: DiscoverOptions, context: Context): Promise<Discover> {
  const { name: publisher, failure } = await assumedPublisher(context)
  const base = options.file === undefined ? {} : await queryFrom(options.file, publisher, context)
  const scope = options.mine
    ? ownScope
    : options.scope === undefined
      ? undefined
      : await parseScope(options.scope, context)
  if (scope !== undefined && base.scope !== undefined)
    throw usage(
      `${options.mine ? '--mine' : '--scope'} and the scope in ${options.file} exclude each other`,
      `compare the field instead: --filter ${shellWord(options.mine ? 'owner = $currentuser' : 'FIELD = VALUE')}`,
    )
  const filters =
    options.filter === undefined
      ? undefined
      : [...listAt(base, 'filters'), { filter_elems: await elements(options.filter, options.any, context) }]
  const [{ Discover }, { expandQuery }] = await Promise.all([
    import('../../contract/api/discover.ts'),
    import('../../documents/load/expand.ts'),
  ])
  const query = {
    ...base,
    ...(scope && { scope }),
    ...(filters && { filters }),
    ...(options.limit !== undefined && { limit: options.limit }),
    ...(options.page !== undefined && { page: options.page }),
    return: options.count ? { type: 'count' } : (base.return ?? { type: '*' }),
  }
  // Where nobody knows the publisher that it stands for, nothing would be found.
  if (failure && JSON.stringify(query).includes(`${publisherPlaceholder}::`)) throw failure
  return checkValue(Discover(), expandQuery(query, publisher), { filters: '--filter' })
}

async function queryFrom(
  file: string,
  publisher: string | undefined,
  context: Context,
): Promise<Record<string, unknown>> {
  const { loadQuery } = await import('../../documents/load/load-known.ts')
  return soleValue(await loadQuery(file, { ...sourceOf(context), publisher }), context)
}

async function elements(filters: readonly string[], any: boolean | undefined, context: Context) {
  const found = []
  // One after the other: each can be a question.
  for (const filter of filters)
    found.push({ ...(await parseFilter(filter, context)), bool_op: any ? 'Or' : 'And' } as const)
  return found
}
