import { Command } from 'commander'
import { at } from '../../../contract/schema/path.ts'
import type { Context } from '../../context.ts'
import { type FieldsOptions, fieldsOption, printListings, stateColumns } from '../../kinds/listings.ts'
import { fullName } from '../../service/publisher.ts'

interface ListOptions extends FieldsOptions {
  readonly template?: string
}

export const listCommand = (context: Context, run = list): Command =>
  new Command('list')
    .summary('list your variations')
    .description("List your publisher's variations, and the public ones of others.")
    .option('--template <name>', 'only variations of this template; $publisher:: stands for your own domain')
    .addOption(fieldsOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom variation list --template acme::Coffee::v1
  vatom variation list --fields 'name,properties(num_clones,max_clones)'`,
    )
    .action((options: ListOptions) => run(options, context))

export async function list({ template: given, ...options }: ListOptions, context: Context): Promise<void> {
  const template = given === undefined ? undefined : await fullName(given, context)
  const { client } = await context.connect()
  await printListings(
    {
      ask: (query) => client.listVariations({ query: { ...query, template } }),
      fields: 'name,public,properties(template,publisher_fqdn,unpublished)',
      columns: { ...stateColumns, TEMPLATE: (one) => String(at(one, 'properties', 'template') ?? '') },
      none: 'No variations.',
    },
    options,
    context,
  )
}
