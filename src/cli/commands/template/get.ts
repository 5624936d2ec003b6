import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { templateDocument } from '../../documents/record.ts'
import { hinted, seeList } from '../../failure/hinted.ts'
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
  const record = await hinted(client.getTemplate({ name: await fullName(name, context) }), {
    notFound: seeList('template list'),
  })
  const { yamlLines } = await import('../../output/yaml.ts')
  context.output.result(record, () => yamlLines(templateDocument(record)))
}
