import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { registerCommand } from './register.ts'
import { selectCommand } from './select.ts'
import { updateCommand } from './update.ts'
import { validateCommand } from './validate.ts'

/** Faces of templates. */
export const commands = (context: Context): Command[] => [
  new Command('face')
    .description('Faces tell viewers how to display the vAtoms of a template.')
    .addHelpText('after', '\nExamples:\n  vatom face register icon.yaml\n  vatom face list acme::Coffee::v1')
    .addCommand(registerCommand(context))
    .addCommand(validateCommand(context))
    .addCommand(listCommand(context))
    .addCommand(selectCommand(context))
    .addCommand(updateCommand(context))
    .addCommand(deleteCommand(context)),
]
