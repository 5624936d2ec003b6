import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { createCommand } from './create.ts'
import { deleteCommand } from './delete.ts'
import { getCommand } from './get.ts'
import { listCommand } from './list.ts'
import { publishCommand } from './publish.ts'
import { renderCommand } from './render.ts'
import { updateCommand } from './update.ts'
import { validateCommand } from './validate.ts'

/** Variations of templates. */
export const commands = (context: Context): Command[] => [
  new Command('variation')
    .description('Variations overwrite values of a template; vAtoms are emitted from them.')
    .addHelpText(
      'after',
      '\nExamples:\n  vatom variation create latte.yaml\n  vatom variation render NAME\n  vatom variation publish NAME --confirm NAME',
    )
    .addCommand(createCommand(context))
    .addCommand(validateCommand(context))
    .addCommand(listCommand(context))
    .addCommand(getCommand(context))
    .addCommand(renderCommand(context))
    .addCommand(updateCommand(context))
    .addCommand(publishCommand(context))
    .addCommand(deleteCommand(context)),
]
