import { nounCommand } from '../../noun.ts'

/** Services under names. */
export const command = nounCommand({
  name: 'context',
  description: 'A context is a service saved under a name. The context local is the service on this machine.',
  examples: ['vatom context list', 'vatom context use staging'],
  verbs: {
    list: async () => (await import('./list.ts')).listCommand,
    use: async () => (await import('./use.ts')).useCommand,
    add: async () => (await import('./add.ts')).addCommand,
    remove: async () => (await import('./remove.ts')).removeCommand,
  },
})
