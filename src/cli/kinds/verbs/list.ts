import { Command, Option } from 'commander'
import type { Kind } from '../../../contract/kinds/kind.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import { printRecords } from '../../io/table.ts'
import type { Make } from '../../noun.ts'
import { everyPage } from '../../service/every-page.ts'
import { fullName } from '../../service/publisher.ts'
import { missingRecord } from '../missing.ts'
import { allRecords, listRecords } from '../requests.ts'

/** The command that lists the records of a kind, as hints name it. */
export const listOf = ({ name, listed }: Kind, template = 'TEMPLATE'): string =>
  listed === undefined ? `${name} list ${template}` : `${name} list`

/** `list` of a kind: a publisher's own records, or those of a template. */
export const listCommand =
  (kind: Kind): Make =>
  (context) =>
    kind.listed === undefined ? listOfTemplateCommand(kind, context) : listOwnCommand(kind, kind.listed, context)

interface ListOwnOptions {
  readonly template?: string
  readonly fields?: string
}

function listOwnCommand(kind: Kind, listed: string, context: Context): Command {
  const { name, parent } = kind
  const command = new Command('list')
    .summary(`list your ${name}s`)
    .description(`List your publisher's ${name}s, and the public ones of others.`)
  const template = new Option(
    '--template <name>',
    `only ${name}s of this template; $publisher:: stands for your own domain`,
  )
  return (parent ? command.addOption(template) : command)
    .option('--fields <selection>', 'print only these fields, as YAML, such as name,properties(unpublished)')
    .addHelpText(
      'after',
      `
Examples:
  vatom ${name} list${parent ? ' --template acme::Coffee::v1' : ''}
  vatom ${name} list --fields 'name,properties(${parent ? 'num_clones,max_clones' : 'cloneable'})'`,
    )
    .action((options: ListOwnOptions) => listOwn(kind, listed, options, context))
}

/** Prints a publisher's records as a table, or the selected fields. */
async function listOwn(kind: Kind, listed: string, options: ListOwnOptions, context: Context): Promise<void> {
  const template = options.template === undefined ? undefined : await fullName(options.template, context)
  const { client } = await context.connect()
  const { output } = context
  const records = await fieldsOf(options.fields ?? listed, (query) => listRecords(client, kind, { ...query, template }))
  if (options.fields === undefined) return printRecords(records, kind.columns, `No ${kind.name}s.`, output)
  const { yamlLines } = await import('../../io/yaml.ts')
  await output.listing(records, () => yamlLines(records))
}

/** The selected fields of every record. The name is always requested: it is what identifies a record. */
async function fieldsOf(fields: string, ask: (query: object) => Promise<readonly Section[]>): Promise<Section[]> {
  const isNamed = topLevel(fields).includes('name')
  const asked = isNamed ? fields : `name,${fields}`
  const found = await everyPage(
    (paging) => ask({ ...paging, fields: asked }),
    ({ name }) => name,
  )
  return isNamed ? found : found.map(({ name: _, ...rest }) => rest)
}

/** The names of a selection outside parentheses. */
function topLevel(fields: string): string[] {
  const outer = fields.replace(/\([^()]*\)/g, '')
  return outer === fields ? fields.split(',').map((name) => name.trim()) : topLevel(outer)
}

interface ListOfTemplateOptions {
  readonly template?: string
}

const listOfTemplateCommand = (kind: Kind, context: Context): Command =>
  new Command('list')
    .summary(`list the ${kind.name}s of a template`)
    .description(`List the ${kind.name}s of a template, in order of registration.`)
    .argument('[template]', "the template's name; $publisher:: stands for your own domain")
    .option('--template <name>', 'the same')
    .addHelpText('after', `\nExample:\n  vatom ${kind.name} list acme::Coffee::v1`)
    .action((given: string | undefined, options: ListOfTemplateOptions) =>
      listOfTemplate(kind, given, options, context),
    )

async function listOfTemplate(
  kind: Kind,
  given: string | undefined,
  options: ListOfTemplateOptions,
  context: Context,
): Promise<void> {
  const template = await fullName(chosen(kind, given, options.template), context)
  const { client } = await context.connect()
  const records = await hinted(allRecords(client, kind, { template }), {
    missingReference: missingRecord(client, templateKind, template),
  })
  await printRecords(records, kind.columns, `No ${kind.name}s.`, context.output)
}

/** The template that the argument or its flag names. */
function chosen(kind: Kind, given: string | undefined, flag: string | undefined): string {
  if (given !== undefined && flag !== undefined && given !== flag)
    throw usage('Two templates are named', 'give the argument or --template, not both')
  const template = given ?? flag
  if (template === undefined) throw usage('No template given', `name one: vatom ${listOf(kind)}`)
  return template
}
