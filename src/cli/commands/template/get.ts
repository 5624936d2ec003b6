import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { templateDocument } from '../../documents/record.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingTemplate } from '../../failure/missing.ts'
import { fullName } from '../../service/publisher.ts'

export const getCommand = (context: Context, run = get): Command =>
  new Command('get')
    .summary('show a template')
    .description('Show a template as YAML; with --json, the record as the service answers it.')
    .argument('<name>', "the template's name; $publisher:: stands for your own domain")
    .addHelpText('after', '\nExample:\n  vatom template get NAME')
    .action((name: string) => run(name, context))

export async function get(name: string, context: Context): Promise<void> {
  const { client } = await context.connect()
  const full = await fullName(name, context)
  const record = await hinted(client.getTemplate({ name: full }), { notFound: missingTemplate(client, full) })
  const { yamlLines } = await import('../../output/yaml.ts')
  context.output.result(record, () => yamlLines(templateDocument(record)))
}
