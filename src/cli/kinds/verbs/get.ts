import { Command, Option } from 'commander'
import type { Kind } from '../../../contract/kinds/kind.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import type { Make } from '../../noun.ts'
import { missingRecord } from '../missing.ts'
import { readRecord } from '../requests.ts'
import { givenName, nameHelp, typedName } from '../short-name.ts'

interface GetOptions {
  readonly yaml?: boolean
}

/** `get` of a kind whose records are read by name; `shown` is what its help says. */
export const getCommand =
  (kind: Kind, shown: string): Make =>
  (context) =>
    new Command('get')
      .summary(`show ${kind.one}`)
      .description(`Show ${shown}.`)
      .argument('<name>', nameHelp(kind.name))
      .addOption(new Option('--yaml', 'print the document as YAML, as update reads it; the default without --json'))
      .addHelpText(
        'after',
        `\nExamples:\n  vatom ${kind.name} get NAME\n  vatom ${kind.name} get NAME --yaml > ${kind.name}.yaml`,
      )
      .action((name: string, options: GetOptions) => get(kind, name, options, context))

/** Prints a record as a document; under --json as the service returns it. */
async function get(kind: Kind, given: string, { yaml }: GetOptions, context: Context): Promise<void> {
  const { output } = context
  if (yaml && output.json) throw usage('--yaml and --json exclude each other')
  const { client } = await context.connect()
  const name = await givenName({ ...typedName(kind, given, context), isOpen: kind.isOpen ?? false }, context)
  const record = await hinted(readRecord(client, kind, name), { notFound: missingRecord(client, kind, name) })
  const { yamlLines } = await import('../../io/yaml.ts')
  await output.listing(record, () => yamlLines(kind.documentOf(record)))
}
