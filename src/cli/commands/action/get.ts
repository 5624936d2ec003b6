import { Command } from 'commander'
import { action } from '../../../contract/kinds/action.ts'
import type { Context } from '../../context.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingAction } from '../../failure/missing.ts'
import { checkOutput, type GetOptions, printDocument, yamlOption } from '../../kinds/get.ts'
import { fullName } from '../../service/publisher.ts'

export const getCommand = (context: Context, run = get): Command =>
  new Command('get')
    .summary('show an action')
    .description(
      'Show an action as YAML, as it could be registered; with --json, the record as the service answers it.',
    )
    .argument('<name>', "the action's name; $publisher:: stands for your own domain")
    .addOption(yamlOption())
    .addHelpText(
      'after',
      '\nExamples:\n  vatom action get acme::Coffee::v1::Action::Transfer\n  vatom action get NAME --yaml > action.yaml',
    )
    .action((name: string, options: GetOptions) => run(name, options, context))

export async function get(name: string, options: GetOptions, context: Context): Promise<void> {
  checkOutput(options, context.output)
  const { client } = await context.connect()
  const full = await fullName(name, context)
  const record = await hinted(client.getAction({ name: full }), { notFound: missingAction(client, full) })
  return printDocument(record, action.documentOf(record), context.output)
}
