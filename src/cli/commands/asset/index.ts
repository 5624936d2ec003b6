import { nounCommand } from '../../noun.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { uploadCommand } from './upload.ts'

/** Files that resources refer to. */
export const command = nounCommand({
  name: 'asset',
  description: 'Assets are files on the service, such as images and 3D models, that resources of templates refer to.',
  examples: ['vatom asset upload card.png', 'vatom asset list'],
  verbs: [uploadCommand, listCommand, deleteCommand],
})
