import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { createCommand } from './create.ts'
import { getCommand } from './get.ts'
import { publishCommand } from './publish.ts'
import { validateCommand } from './validate.ts'

/** Variations of templates. */
export const commands = (context: Context): Command[] => [
  new Command('variation')
    .description('Variations overwrite values of a template; vAtoms are emitted from them.')
    .addCommand(createCommand(context))
    .addCommand(validateCommand(context))
    .addCommand(getCommand(context))
    .addCommand(publishCommand(context)),
]
