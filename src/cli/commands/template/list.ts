import { Command } from 'commander'
import type * as z from 'zod/v4'
import type { Client } from '../../../client/client.ts'
import { at } from '../../../contract/path.ts'
import type { TemplateListing } from '../../../contract/template.ts'
import { limits } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { tableLines } from '../../output/table.ts'

type Listing = z.output<typeof TemplateListing>

export const listCommand = (context: Context, run = list): Command =>
  new Command('list')
    .summary('list your templates')
    .description("List your publisher's templates, and the public ones of others.")
    .action(() => run(context))

export async function list({ connect, output }: Context): Promise<void> {
  const { client } = await connect()
  const templates = await everyPage(client)
  output.result(templates, () =>
    tableLines(
      ['NAME', 'STATE', 'PUBLIC'],
      templates.map((one) => [one.name ?? '', stateOf(one), at(one, 'public') === true ? 'public' : '']),
      output,
    ),
  )
}

const stateOf = (listing: Listing) => (at(listing, 'properties', 'unpublished') === false ? 'published' : 'draft')

const fields = 'name,public,properties(publisher_fqdn,unpublished,cloneable)'

/** All pages; a service that ignores paging is noticed by names that come again. */
async function everyPage(client: Client): Promise<Listing[]> {
  const found = new Map<string, Listing>()
  for (let page = 1; ; page++) {
    const listed = await client.listTemplates({ query: { fields, limit: String(limits.pageMax), page: String(page) } })
    const before = found.size
    for (const one of listed) found.set(one.name ?? '', one)
    if (listed.length < limits.pageMax || found.size === before) return [...found.values()]
  }
}
