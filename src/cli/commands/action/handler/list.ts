import { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { printRecords } from '../../../io/table.ts'
import { everyPage } from '../../../service/every-page.ts'

export const listCommand = (context: Context): Command =>
  new Command('list')
    .summary('list your action handlers')
    .description("List your publisher's action handlers, by reactor.")
    .addHelpText('after', '\nExample:\n  vatom action handler list --json')
    .action(() => list(context))

async function list(context: Context): Promise<void> {
  const { client } = await context.connect()
  const handlers = await everyPage(
    (query) => client.listActionHandlers({ query }),
    ({ reactor }) => reactor,
  )
  await printRecords(
    handlers,
    { REACTOR: ({ reactor }) => reactor, URL: ({ url }) => url },
    'No action handlers.',
    context.output,
  )
}
