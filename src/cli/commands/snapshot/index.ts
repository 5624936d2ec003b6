import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { loadCommand } from './load.ts'
import { saveCommand } from './save.ts'

/** The state of the service on this machine, as a whole. */
export const command = (context: Context): Command =>
  new Command('snapshot')
    .description('Snapshots are named copies of the data of the service on this machine.')
    .addHelpText('after', '\nExamples:\n  vatom snapshot save before-launch\n  vatom snapshot load before-launch --yes')
    .addCommand(saveCommand(context))
    .addCommand(loadCommand(context))
    .addCommand(listCommand(context))
    .addCommand(deleteCommand(context))
