import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { variationDocument } from '../../documents/record.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingVariation } from '../../failure/missing.ts'
import { fullName } from '../../service/publisher.ts'

export const getCommand = (context: Context, run = get): Command =>
  new Command('get')
    .summary('show a variation')
    .description(
      'Show what a variation itself says, as YAML; with --json, the record as the service answers it, resolved over its template.',
    )
    .argument('<name>', "the variation's name; $publisher:: stands for your own domain")
    .addHelpText('after', '\nExample:\n  vatom variation get NAME')
    .action((name: string) => run(name, context))

export async function get(name: string, context: Context): Promise<void> {
  const { client } = await context.connect()
  const full = await fullName(name, context)
  const record = await hinted(client.getVariation({ name: full }), { notFound: missingVariation(client, full) })
  const { yamlLines } = await import('../../output/yaml.ts')
  context.output.result(record, () => yamlLines(variationDocument(record)))
}
