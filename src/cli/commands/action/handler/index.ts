import { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { registerCommand } from './register.ts'

/** Where the actions of a publisher's own reactors are carried out. */
export const handlerCommand = (context: Context): Command =>
  new Command('handler')
    .summary('register, list and delete action handlers')
    .description(
      'Action handlers say where actions go whose reactor is your own. A local service calls those on this machine, and others where vatom serve --allow-handler-host allows it.',
    )
    .addHelpText('after', '\nExample:\n  vatom action handler list')
    .addCommand(registerCommand(context))
    .addCommand(listCommand(context))
    .addCommand(deleteCommand(context))
