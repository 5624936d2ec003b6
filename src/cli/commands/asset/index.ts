import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { uploadCommand } from './upload.ts'

/** Files that resources refer to. */
export const command = (context: Context): Command =>
  new Command('asset')
    .description('Assets are files on the service, such as images and 3D models, that resources of templates refer to.')
    .addHelpText('after', '\nExamples:\n  vatom asset upload card.png\n  vatom asset list')
    .addCommand(uploadCommand(context))
    .addCommand(listCommand(context))
    .addCommand(deleteCommand(context))
