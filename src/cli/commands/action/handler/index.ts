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
      'An action handler is an HTTP address that performs the actions of your own reactor. The local service calls handlers on this machine, and on the hosts that you give to vatom serve --allow-handler-host.',
    )
    .addHelpText('after', '\nExample:\n  vatom action handler list')
    .addCommand(registerCommand(context))
    .addCommand(listCommand(context))
    .addCommand(deleteCommand(context))
