import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { bumpCommand } from './bump.ts'
import { createCommand } from './create.ts'
import { deleteCommand } from './delete.ts'
import { getCommand } from './get.ts'
import { listCommand } from './list.ts'
import { publishCommand } from './publish.ts'
import { updateCommand } from './update.ts'
import { validateCommand } from './validate.ts'

/** Blueprints of vAtoms. */
export const commands = (context: Context): Command[] => [
  new Command('template')
    .description('Templates hold the structure of vAtoms, with defaults.')
    .addHelpText(
      'after',
      '\nExamples:\n  vatom template create coffee.yaml\n  vatom template list\n  vatom template publish NAME --confirm NAME',
    )
    .addCommand(createCommand(context))
    .addCommand(validateCommand(context))
    .addCommand(listCommand(context))
    .addCommand(getCommand(context))
    .addCommand(updateCommand(context))
    .addCommand(bumpCommand(context))
    .addCommand(publishCommand(context))
    .addCommand(deleteCommand(context)),
]
