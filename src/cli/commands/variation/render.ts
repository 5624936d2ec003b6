import { Command } from 'commander'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { variation as variationKind } from '../../../contract/kinds/variation.ts'
import { printPath } from '../../../contract/schema/path.ts'
import type { Resolved } from '../../../contract/vatom/provenance.ts'
import type { Loaded } from '../../../documents/load/loaded.ts'
import type { Context } from '../../context.ts'
import { exit, Failure, usage } from '../../failure/failure.ts'
import { hinted } from '../../failure/hinted.ts'
import { areFiles, loadAll } from '../../kinds/load-checked.ts'
import { missingRecord } from '../../kinds/missing.ts'
import { givenName, typedName } from '../../kinds/short-name.ts'

type Document = Readonly<Record<string, unknown>>

interface RenderOptions {
  readonly template?: readonly string[]
}
/** A variation beside its template, both as documents. */
interface Pair {
  readonly name: string
  readonly template: Document
  readonly variation: Document
}

export const renderCommand = (context: Context): Command =>
  new Command('render')
    .summary('show the vAtom that a variation makes')
    .description(
      'Show the vAtom that a variation and its template produce. Values that the variation sets are marked; the others come from the template. Files need no service; names are looked up on the service.',
    )
    .argument('<variation...>', 'names, or YAML or JSON files, folders, globs, or - for standard input')
    .option('--template <file...>', 'files that contain the templates, if the other files do not')
    .addHelpText(
      'after',
      '\nExamples:\n  vatom variation render coffee.variation.yaml --template coffee.yaml\n  vatom variation render NAME --json',
    )
    .action((given: string[], options: RenderOptions) => render(given, options, context))

async function render(given: readonly string[], { template = [] }: RenderOptions, context: Context): Promise<void> {
  const fromFiles = areFiles(given, context)
  if (!fromFiles && template.length > 0)
    throw usage(
      '--template can only be used with files',
      'leave it out: the template of a variation on the service is read there',
    )
  const pairs = fromFiles ? await pairsInFiles(given, template, context) : await pairsOnService(given, context)
  const { resolveWithOrigins } = await import('../../../contract/vatom/provenance.ts')
  const { originLines } = await import('../../io/yaml.ts')
  const resolved = pairs.map((pair) => ({ ...pair, ...resolveWithOrigins(pair.template, pair.variation) }))
  await context.output.listing(resolved.map(resultOf), () =>
    resolved.flatMap((one, index) => [
      ...(index > 0 ? ['---'] : []),
      `# ${one.name}, over ${String(one.variation.template)}`,
      ...originLines(one),
    ]),
  )
}

const resultOf = ({ name, variation, sections, leaves }: Pair & Resolved) => ({
  template_variation: name,
  template: variation.template,
  ...sections,
  leaves: leaves.map(({ path, value, from }) => ({ path: printPath(path), value, from })),
})

async function pairsInFiles(given: readonly string[], more: readonly string[], context: Context): Promise<Pair[]> {
  const loaded = await loadAll([...given, ...more], context)
  const variations = loaded.documents.filter(({ kind }) => kind === 'variation')
  if (variations.length === 0)
    throw new Failure('invalid_documents', exit.invalid, 'There is no variation in these files')
  return variations.map(({ name, value }) => ({ name, variation: value, template: templateOf(name, value, loaded) }))
}

function templateOf(name: string, { template }: Document, { documents }: Loaded): Document {
  const found = documents.find((one) => one.kind === 'template' && one.name === template)
  if (found) return found.value
  throw new Failure(
    'no_template',
    exit.invalid,
    `The template of ${name}, ${String(template)}, is not among the files`,
    {
      hint: 'name the file that holds it: --template FILE',
    },
  )
}

async function pairsOnService(names: readonly string[], context: Context): Promise<Pair[]> {
  const { client } = await context.connect()
  const pairs: Pair[] = []
  for (const given of names) {
    const name = await givenName(typedName(variationKind, given, context), context)
    const notFound = missingRecord(client, variationKind, name)
    const { properties } = await hinted(client.getVariation({ name }), { notFound })
    const { template, overrides } = properties
    if (overrides === undefined)
      throw new Failure('no_overrides', exit.refused, `The service does not report which values ${name} itself sets`, {
        hint: 'render its file: vatom variation render FILE --template FILE',
      })
    const record = await client.getTemplate({ name: template })
    pairs.push({ name, template: templateKind.documentOf(record), variation: { ...overrides, template } })
  }
  return pairs
}
