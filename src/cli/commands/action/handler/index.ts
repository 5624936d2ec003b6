import { nounCommand } from '../../../noun.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { registerCommand } from './register.ts'

/** What performs the actions of a publisher's own reactors. */
export const handlerCommand = nounCommand({
  name: 'handler',
  summary: 'register, list and delete action handlers',
  description:
    'An action handler is an HTTP address that performs the actions of your own reactor. The local service calls handlers on this machine, and on the hosts that you give to vatom serve --allow-handler-host. What they are sent and have to answer: vatom help reactors.',
  examples: ['vatom action handler list'],
  verbs: [registerCommand, listCommand, deleteCommand],
})
