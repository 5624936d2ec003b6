import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { actionDocument } from '../../documents/record.ts'
import { hinted } from '../../failure/hinted.ts'
import { missingAction } from '../../failure/missing.ts'
import { fullName } from '../../service/publisher.ts'

export const getCommand = (context: Context, run = get): Command =>
  new Command('get')
    .summary('show an action')
    .description(
      'Show an action as YAML, as it could be registered; with --json, the record as the service answers it.',
    )
    .argument('<name>', "the action's name; $publisher:: stands for your own domain")
    .addHelpText('after', '\nExample:\n  vatom action get acme::Coffee::v1::Action::Transfer')
    .action((name: string) => run(name, context))

export async function get(name: string, context: Context): Promise<void> {
  const { client } = await context.connect()
  const full = await fullName(name, context)
  const record = await hinted(client.getAction({ name: full }), { notFound: missingAction(client, full) })
  const [{ yamlLines }, { ActionDocument }] = await Promise.all([
    import('../../output/yaml.ts'),
    import('../../../contract/action.ts'),
  ])
  context.output.result(record, () => yamlLines(actionDocument(record, Object.keys(ActionDocument.shape))))
}
