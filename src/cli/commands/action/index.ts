import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { deleteCommand } from './delete.ts'
import { getCommand } from './get.ts'
import { handlerCommand } from './handler/index.ts'
import { listCommand } from './list.ts'
import { registerCommand } from './register.ts'
import { updateCommand } from './update.ts'
import { validateCommand } from './validate.ts'

/** Actions of templates. */
export const commands = (context: Context): Command[] => [
  new Command('action')
    .description('Actions are what can be done with the vAtoms of a template.')
    .addHelpText('after', '\nExamples:\n  vatom action register transfer.yaml\n  vatom action list acme::Coffee::v1')
    .addCommand(registerCommand(context))
    .addCommand(validateCommand(context))
    .addCommand(listCommand(context))
    .addCommand(getCommand(context))
    .addCommand(updateCommand(context))
    .addCommand(deleteCommand(context))
    .addCommand(handlerCommand(context)),
]
