import { nounCommand } from '../../noun.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { loadCommand } from './load.ts'
import { saveCommand } from './save.ts'

/** The state of the service on this machine, as a whole. */
export const command = nounCommand({
  name: 'snapshot',
  description: 'Snapshots are named copies of the data of the service on this machine.',
  examples: ['vatom snapshot save before-launch', 'vatom snapshot load before-launch --yes'],
  verbs: [saveCommand, loadCommand, listCommand, deleteCommand],
})
