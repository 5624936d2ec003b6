import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { registerCommand } from './register.ts'
import { validateCommand } from './validate.ts'

/** Faces of templates. */
export const commands = (context: Context): Command[] => [
  new Command('face')
    .description('Faces tell viewers how to display the vAtoms of a template.')
    .addCommand(registerCommand(context))
    .addCommand(validateCommand(context)),
]
