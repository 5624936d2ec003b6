import { Command } from 'commander'
import { template } from '../../../contract/kinds/template.ts'
import type { Context } from '../../context.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingTemplate } from '../../failure/missing.ts'
import { checkOutput, type GetOptions, printDocument, yamlOption } from '../../kinds/get.ts'
import { fullName } from '../../service/publisher.ts'

export const getCommand = (context: Context, run = get): Command =>
  new Command('get')
    .summary('show a template')
    .description('Show a template as YAML; with --json, the record as the service answers it.')
    .argument('<name>', "the template's name; $publisher:: stands for your own domain")
    .addOption(yamlOption())
    .addHelpText('after', '\nExamples:\n  vatom template get NAME\n  vatom template get NAME --yaml > template.yaml')
    .action((name: string, options: GetOptions) => run(name, options, context))

export async function get(name: string, options: GetOptions, context: Context): Promise<void> {
  checkOutput(options, context.output)
  const { client } = await context.connect()
  const full = await fullName(name, context)
  const record = await hinted(client.getTemplate({ name: full }), { notFound: missingTemplate(client, full) })
  return printDocument(record, template.documentOf(record), context.output)
}
