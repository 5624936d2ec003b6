import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { hinted } from '../failure/hinted.ts'
import { missingTemplate } from '../failure/missing.ts'
import { type Columns, printRecords } from '../io/records.ts'
import { everyPage } from '../service/every-page.ts'
import { fullName } from '../service/publisher.ts'

interface OfTemplateQuery {
  readonly template: string
  readonly limit: string
  readonly page: string
}

/** A noun whose records belong to a template. */
export interface OfTemplate<R> {
  readonly noun: 'face' | 'action'
  readonly ask: (client: Client, query: OfTemplateQuery) => Promise<readonly R[]>
  readonly keyOf: (record: R) => string
  readonly columns: Columns<R>
}

/** `list` of a noun whose records belong to a template. */
export const listCommandFor = <R>(noun: OfTemplate<R>, context: Context, run = list<R>): Command =>
  new Command('list')
    .summary(`list the ${noun.noun}s of a template`)
    .description(`List the ${noun.noun}s of a template, in order of registration.`)
    .argument('[template]', "the template's name; $publisher:: stands for your own domain")
    .option('--template <name>', 'the same')
    .addHelpText('after', `\nExample:\n  vatom ${noun.noun} list acme::Coffee::v1`)
    .action((given: string | undefined, options: { template?: string }) => run(noun, given, options, context))

async function list<R>(
  { noun, ask, keyOf, columns }: OfTemplate<R>,
  given: string | undefined,
  options: { template?: string },
  context: Context,
): Promise<void> {
  const template = await fullName(chosen(noun, given, options.template), context)
  const { client } = await context.connect()
  const records = everyPage((paging) => ask(client, { template, ...paging }), keyOf)
  const found = await hinted(records, { missingReference: missingTemplate(client, template) })
  await printRecords(found, columns, `No ${noun}s.`, context.output)
}

/** The template that the argument or its flag names. */
function chosen(noun: string, given: string | undefined, flag: string | undefined): string {
  if (given !== undefined && flag !== undefined && given !== flag)
    throw usage('Two templates are named', 'give the argument or --template, not both')
  const template = given ?? flag
  if (template === undefined) throw usage('A template is missing', `name one: vatom ${noun} list TEMPLATE`)
  return template
}
