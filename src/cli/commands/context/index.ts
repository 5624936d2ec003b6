import { nounCommand } from '../../noun.ts'
import { addCommand } from './add.ts'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'
import { useCommand } from './use.ts'

/** Services under names. */
export const command = nounCommand({
  name: 'context',
  description: 'A context is a service saved under a name. The context local is the service on this machine.',
  examples: ['vatom context list', 'vatom context use staging'],
  verbs: [listCommand, useCommand, addCommand, removeCommand],
})
