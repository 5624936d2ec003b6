import { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { printRecords } from '../../../io/table.ts'
import { handlersOf } from '../../../kinds/requests.ts'

export const listCommand = (context: Context): Command =>
  new Command('list')
    .summary('list your action handlers')
    .description("List your publisher's action handlers, by reactor.")
    .addHelpText('after', '\nExample:\n  vatom action handler list --json')
    .action(() => list(context))

async function list(context: Context): Promise<void> {
  const { client } = await context.connect()
  await printRecords(
    await handlersOf(client),
    { REACTOR: ({ reactor }) => reactor, URL: ({ url }) => url },
    'No action handlers.',
    context.output,
  )
}
