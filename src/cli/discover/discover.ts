import type { Client } from '../../client/client.ts'
import type { Discover } from '../../contract/api/discover.ts'
import type { Payload } from '../../contract/api/table.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { tableLines } from '../io/table.ts'
import { styled } from '../io/text.ts'
import { checkValue, soleValue, sourceOf } from '../kinds/load-checked.ts'
import { unique } from '../service/every-page.ts'
import { knownPublisher } from '../service/publisher.ts'
import { ownScope, parseFilter, parseScope, unlistedFields } from './query.ts'

type Page = Payload<'discover'>

export interface DiscoverOptions {
  readonly mine?: boolean
  readonly scope?: string
  readonly filter?: readonly string[]
  readonly any?: boolean
  readonly file?: string
  readonly limit?: number
  readonly page?: number
  readonly all?: boolean
  readonly count?: boolean
  readonly explain?: boolean
}

export async function discover(options: DiscoverOptions, context: Context): Promise<void> {
  checkOptions(options)
  const body = await bodyOf(options, context)
  for (const field of unlistedFields(body))
    context.output.warn(styled`${field} is not in the specification's list; a service may refuse it`)
  if (options.explain) return (await import('./explain-query.ts')).explainQuery(body, context)
  const { client } = await context.connect()
  const page = options.all && !isCount(body) ? await everyPage(client, body) : await client.discover({ body })
  await context.output.listing(page, () => (isCount(body) ? [String(page.count)] : pageLines(page, context)))
  if (!isCount(body) && !options.all) noteMore(page, body, context)
}

const isCount = (body: Discover) => body.return?.type === 'count'

function checkOptions({ mine, scope, all, count, page, any, filter, explain }: DiscoverOptions): void {
  if (explain && (all || count || page !== undefined)) throw usage('--explain excludes --all, --count and --page')
  if (mine && scope !== undefined)
    throw usage('--mine and --scope exclude each other', '--mine is --scope owner=$currentuser')
  if (all && (count || page !== undefined)) throw usage('--all excludes --count and --page')
  if (any && filter === undefined) throw usage('--any goes with --filter')
}

/** The query of the file, overwritten by flags. */
async function bodyOf(options: DiscoverOptions, context: Context): Promise<Discover> {
  const publisher = await knownPublisher(context)
  const base = options.file === undefined ? {} : await queryFrom(options.file, publisher, context)
  const scope = options.mine ? ownScope : options.scope === undefined ? undefined : parseScope(options.scope)
  const filters = options.filter === undefined ? undefined : [{ filter_elems: elements(options.filter, options.any) }]
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
  return checkValue(Discover(), expandQuery(query, publisher))
}

async function queryFrom(
  file: string,
  publisher: string | undefined,
  context: Context,
): Promise<Record<string, unknown>> {
  const { loadQuery } = await import('../../documents/load/load-known.ts')
  return soleValue(await loadQuery(file, { ...sourceOf(context), publisher }), context)
}

const elements = (filters: readonly string[], any: boolean | undefined) =>
  filters.map(parseFilter).map((element) => ({ ...element, bool_op: any ? 'Or' : 'And' }) as const)

/** All pages as one. */
async function everyPage(client: Client, body: Discover): Promise<Page> {
  const pages: Page[] = []
  const limit = body.limit || limits.pageMax
  for (let page = 1; ; page++) {
    const next = await client.discover({ body: { ...body, limit, page } })
    pages.push(next)
    if (next.results.length < Math.min(limit, limits.pageMax)) return merge(pages)
  }
}

const merge = (pages: readonly Page[]): Page => {
  const results = unique(pages.flatMap((page) => page.results))
  return {
    ...pages[0],
    results,
    faces: unique(pages.flatMap((page) => page.faces)),
    actions: unique(pages.flatMap((page) => page.actions)),
    count: results.length,
  }
}

function pageLines(page: Page, { output }: Context) {
  const type = (record: unknown, field: string) => String(at(record, 'vAtom::vAtomType', field) ?? '')
  const rows = page.results.map((record) => [
    String(record.id),
    type(record, 'title'),
    type(record, 'template_variation'),
    String(at(record, 'vAtom::vAtomType', 'visibility', 'type') ?? ''),
  ])
  return tableLines(['ID', 'TITLE', 'VARIATION', 'VISIBILITY'], rows, output)
}

/** Notes that there may be more pages, or that nothing was found. */
function noteMore(page: Page, body: Discover, { output }: Context): void {
  if (page.results.length === 0) output.note('No vAtoms found.')
  else if (page.results.length >= (body.limit || limits.page))
    output.note(styled`There may be more: --page ${Math.max(1, body.page ?? 1) + 1}, or --all`)
}
