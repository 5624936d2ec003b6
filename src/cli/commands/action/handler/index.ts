import { nounCommand } from '../../../noun.ts'

/** What performs the actions of a publisher's own reactors. */
export const handlerCommand = nounCommand({
  name: 'handler',
  summary: 'register, list and delete action handlers',
  description:
    'An action handler is an HTTP address that performs the actions of your own reactor. The local service calls handlers on this machine, and on the hosts that you give to vatom serve --allow-handler-host. What they are sent and have to answer: vatom help reactors.',
  examples: ['vatom action handler list'],
  verbs: {
    register: async () => (await import('./register.ts')).registerCommand,
    list: async () => (await import('./list.ts')).listCommand,
    delete: async () => (await import('./delete.ts')).deleteCommand,
  },
})
