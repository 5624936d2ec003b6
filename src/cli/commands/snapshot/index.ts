import { nounCommand } from '../../noun.ts'

/** The state of the service on this machine, as a whole. */
export const command = nounCommand({
  name: 'snapshot',
  description: 'Snapshots are named copies of the data of the service on this machine.',
  examples: ['vatom snapshot save before-launch', 'vatom snapshot load before-launch --yes'],
  verbs: {
    save: async () => (await import('./save.ts')).saveCommand,
    load: async () => (await import('./load.ts')).loadCommand,
    list: async () => (await import('./list.ts')).listCommand,
    delete: async () => (await import('./delete.ts')).deleteCommand,
  },
})
