import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { type FieldsOptions, fieldsOption, printListings, stateColumns } from '../../kinds/listings.ts'

export const listCommand = (context: Context, run = list): Command =>
  new Command('list')
    .summary('list your templates')
    .description("List your publisher's templates, and the public ones of others.")
    .addOption(fieldsOption())
    .addHelpText(
      'after',
      "\nExamples:\n  vatom template list\n  vatom template list --fields 'name,properties(cloneable)'",
    )
    .action((options: FieldsOptions) => run(options, context))

export async function list(options: FieldsOptions, context: Context): Promise<void> {
  const { client } = await context.connect()
  await printListings(
    {
      ask: (query) => client.listTemplates({ query }),
      fields: 'name,public,properties(publisher_fqdn,unpublished,cloneable)',
      columns: stateColumns,
      none: 'No templates.',
    },
    options,
    context,
  )
}
