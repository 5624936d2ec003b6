import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addCommand } from './add.ts'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'
import { useCommand } from './use.ts'

/** Services under names. */
export const command = (context: Context): Command =>
  new Command('context')
    .description('A context is a service saved under a name. The context local is the service on this machine.')
    .addHelpText('after', '\nExamples:\n  vatom context list\n  vatom context use staging')
    .addCommand(listCommand(context))
    .addCommand(useCommand(context))
    .addCommand(addCommand(context))
    .addCommand(removeCommand(context))
