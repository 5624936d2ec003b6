import { Command, Option } from 'commander'
import type { Kind } from '../../../contract/kinds/kind.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { limits } from '../../../contract/limits.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import { numberFrom } from '../../io/option-values.ts'
import type { Output } from '../../io/output.ts'
import { printRecords } from '../../io/table.ts'
import { shellWord, styled } from '../../io/text.ts'
import type { Make } from '../../noun.ts'
import { emptyText, everyPage, isFollowed, type Paging, type Place } from '../../service/every-page.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { newOnEachPage } from '../../service/new-on-each-page.ts'
import { signedInPublisher } from '../../service/publisher.ts'
import { missingRecord } from '../missing.ts'
import { allRecords, listRecords, readRecord } from '../requests.ts'
import { selection, warnOfUnknownFields } from '../selected-fields.ts'
import { givenName, nameHelp, typedName } from '../short-name.ts'

/** The command that lists the records of a kind, of one template where the kind is listed by it, as hints name it. */
export const listOf = ({ name, listed }: Kind, template?: string): string =>
  listed !== undefined || template === undefined ? `${name} list` : `${name} list ${shellWord(template)}`

/** `list` of a kind: a publisher's own records, or those of a template. */
export const listCommand =
  (kind: Kind): Make =>
  (context) =>
    kind.listed === undefined ? listOfTemplateCommand(kind, context) : listOwnCommand(kind, kind.listed, context)

interface ListOwnOptions {
  readonly template?: string
  readonly fields?: string
  readonly limit?: number
  readonly page?: number
  readonly ndjson?: boolean
}

function listOwnCommand(kind: Kind, listed: string, context: Context): Command {
  const { name, parent } = kind
  const command = new Command('list')
    .summary(`list your ${name}s`)
    .description(`List your publisher's ${name}s, and the public ones of others that are published.`)
  const template = new Option('--template <name>', `only those of one template: ${nameHelp('template')}`)
  return (parent ? command.addOption(template) : command)
    .option('--fields <selection>', 'print only these fields, as YAML, such as name,properties(unpublished)')
    .addOption(
      new Option('--limit <n>', `show one page with so many, at most ${limits.pageMax}`).argParser(
        numberFrom(1, limits.pageMax),
      ),
    )
    .addOption(
      new Option('--page <n>', `which page, from 1, with --limit or ${limits.page} ${name}s`).argParser(
        numberFrom(1, 1_000_000),
      ),
    )
    .option('--ndjson', `print each ${name} as a line of JSON, page after page, in little memory`)
    .addHelpText(
      'after',
      `
Examples:
  vatom ${name} list${parent ? ' --template acme::Coffee::v1' : ''}
  vatom ${name} list --fields 'name,properties(${parent ? 'num_clones,max_clones' : 'cloneable'})'`,
    )
    .action((options: ListOwnOptions) => listOwn(kind, listed, options, context))
}

/** Prints a publisher's records, all or a page of them: as a table, or the selected fields. */
async function listOwn(kind: Kind, listed: string, options: ListOwnOptions, context: Context): Promise<void> {
  const { output } = context
  if (options.ndjson && output.json) throw usage('--ndjson excludes --json', 'give one of them')
  const template = options.template === undefined ? undefined : await existingTemplate(options.template, context)
  const { client } = await context.connect()
  const { fields, shown } = selection(options.fields ?? listed)
  if (options.fields !== undefined) await warnOfUnknownFields(kind, options.fields, output)
  const ask: Ask = (place) => listRecords(client, kind, { fields, template, ...place })
  if (options.limit === undefined && options.page === undefined && options.ndjson) {
    const pages = newOnEachPage({ ask, limit: limits.pageMax, keyOf: nameOf })
    for await (const records of pages) {
      records.map(shown).forEach(output.record)
      if (output.isUnread()) break
    }
    return
  }
  const records = (await recordsOf(ask, options, nextPage(kind, options, output))).map(shown)
  if (options.ndjson) return records.forEach(output.record)
  if (options.fields === undefined) {
    const none = records.length === 0 ? await emptyText(`${kind.name}s`, ask, placeOf(options)) : ''
    return printRecords(records, kind.columns, none, output)
  }
  const { yamlLines } = await import('../../io/yaml.ts')
  await output.listing(records, () => yamlLines(records))
}

/** A template by whose name the records of another kind are listed: a service answers none for a name that it does not know. */
async function existingTemplate(given: string, context: Context): Promise<string> {
  const name = await givenName(typedName(templateKind, given, context), context)
  const { client } = await context.connect()
  await hinted(readRecord(client, templateKind, name), { notFound: missingRecord(client, templateKind, name) })
  return name
}

type Ask = (place: Place | Paging) => Promise<readonly Section[]>
const nameOf = ({ name }: Section) => name

const placeOf = ({ limit = limits.page, page = 1 }: ListOwnOptions): Place => ({ limit, page })

/** The records of a page, if one is wanted; otherwise all. */
async function recordsOf(ask: Ask, options: ListOwnOptions, noteNext: () => void): Promise<readonly Section[]> {
  if (options.limit === undefined && options.page === undefined) return everyPage(ask, nameOf)
  const place = placeOf(options)
  const records = await ask(place)
  if (await isFollowed(ask, records, place, nameOf)) noteNext()
  return records
}

/** Says which command lists the page after this one. */
const nextPage =
  ({ name }: Kind, options: ListOwnOptions, output: Output) =>
  (): void => {
    const { template, fields, limit, ndjson } = options
    const given = Object.entries({ template, fields, limit, page: placeOf(options).page + 1 })
    const flags = given.flatMap(([flag, value]) =>
      value === undefined ? [] : [`--${flag} ${shellWord(String(value))}`],
    )
    const command = ['vatom', name, 'list', ...flags, ...(ndjson ? ['--ndjson'] : [])].join(' ')
    output.note(styled`There are more: ${output.hint(command)}`)
  }

interface ListOfTemplateOptions {
  readonly template?: string
}

const listOfTemplateCommand = (kind: Kind, context: Context): Command =>
  new Command('list')
    .summary(`list the ${kind.name}s of a template`)
    .description(
      `List the ${kind.name}s of a template, in order of registration; without one, those of all templates of your publisher.`,
    )
    .argument('[template]', nameHelp('template'))
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
  const named = chosen(given, options.template)
  if (named === undefined) return listOfAll(kind, context)
  const template = await givenName(typedName(templateKind, named, context), context)
  const { client } = await context.connect()
  const records = await hinted(allRecords(client, kind, { template }), {
    missingReference: missingRecord(client, templateKind, template),
  })
  await printRecords(records, kind.columns, `No ${kind.name}s.`, context.output)
}

/** Lists those of all templates of the publisher, one template after the other; a terminal needs no domain in each row. */
async function listOfAll(kind: Kind, context: Context): Promise<void> {
  const { output } = context
  const records = await allOfPublisher(kind, context)
  const templateOf = ({ template }: Section) => String(template).replace(output.isTTY ? /^.*?::/ : '', '')
  const columns = kind.key === 'name' ? kind.columns : secondly(kind.columns, { TEMPLATE: templateOf })
  await printRecords(records, columns, `No ${kind.name}s.`, output)
}

/** The records of all templates of the publisher. */
export async function allOfPublisher(kind: Kind, context: Context): Promise<Section[]> {
  const { client } = await context.connect()
  const own = `${await signedInPublisher(context)}::`
  const templates = await allRecords(client, templateKind, { fields: 'name' })
  const names = templates.map(({ name }) => String(name)).filter((name) => name.startsWith(own))
  return (await inParallel(names, (template) => allRecords(client, kind, { template }))).flat()
}

/** Columns with others behind the first. */
const secondly = (columns: Kind['columns'], others: Kind['columns']): Kind['columns'] => {
  const [first, ...rest] = Object.entries(columns)
  return Object.fromEntries([...(first ? [first] : []), ...Object.entries(others), ...rest])
}

/** The template that the argument or its flag names. */
function chosen(given: string | undefined, flag: string | undefined): string | undefined {
  if (given !== undefined && flag !== undefined && given !== flag)
    throw usage('Two templates are named', 'give the argument or --template, not both')
  return given ?? flag
}
