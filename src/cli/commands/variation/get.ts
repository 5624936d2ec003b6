import { Command } from 'commander'
import { variation } from '../../../contract/kinds/variation.ts'
import type { Context } from '../../context.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingVariation } from '../../failure/missing.ts'
import { checkOutput, type GetOptions, printDocument, yamlOption } from '../../kinds/get.ts'
import { fullName } from '../../service/publisher.ts'

export const getCommand = (context: Context, run = get): Command =>
  new Command('get')
    .summary('show a variation')
    .description(
      'Show what a variation itself says, as YAML; with --json, the record as the service answers it, resolved over its template.',
    )
    .argument('<name>', "the variation's name; $publisher:: stands for your own domain")
    .addOption(yamlOption())
    .addHelpText('after', '\nExamples:\n  vatom variation get NAME\n  vatom variation get NAME --yaml > variation.yaml')
    .action((name: string, options: GetOptions) => run(name, options, context))

export async function get(name: string, options: GetOptions, context: Context): Promise<void> {
  checkOutput(options, context.output)
  const { client } = await context.connect()
  const full = await fullName(name, context)
  const record = await hinted(client.getVariation({ name: full }), { notFound: missingVariation(client, full) })
  return printDocument(record, variation.documentOf(record), context.output)
}
