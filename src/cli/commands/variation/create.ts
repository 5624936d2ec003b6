import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { createDocuments } from '../../create.ts'
import { type Format, formatOption } from '../../format.ts'
import { type GateOptions, gateCreation } from '../../gate.ts'

interface CreateOptions extends GateOptions {
  readonly format: Format
}

export const createCommand = (context: Context, run = create): Command =>
  new Command('create')
    .summary('create variations from files')
    .description(
      'Check variation documents, then create them as drafts; a document that says unpublished: false is published.',
    )
    .argument('<file...>', 'YAML or JSON files, folders, globs, or - for standard input')
    .option('--yes', 'publish what says unpublished: false without asking')
    .option('--accept-charges', 'accept the chain writes of an eth section on mainnet')
    .addOption(formatOption())
    .addHelpText('after', '\nExample:\n  vatom variation create coffee.variation.yaml')
    .action((files: string[], options: CreateOptions) => run(files, options, context))

export async function create(files: readonly string[], options: CreateOptions, context: Context): Promise<void> {
  const { VariationDocument } = await import('../../../contract/variation.ts')
  await createDocuments(
    {
      noun: 'variation',
      inputs: files,
      format: options.format,
      gate: (documents) => gateCreation(documents, options, context),
      send: async ({ value, name }, { client, place }) => {
        const body = VariationDocument.parse({ ...value, unpublished: value.unpublished ?? true })
        await client.createVariation({ body })
        const state = body.unpublished ? 'draft' : 'published, final'
        return {
          status: body.unpublished ? 'created' : 'published',
          message: `Created variation ${name} (${state}) on ${place}`,
        }
      },
    },
    context,
  )
}
