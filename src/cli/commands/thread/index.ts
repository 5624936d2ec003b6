import { nounCommand } from '../../noun.ts'

/** What happened to the user's vAtoms, and what others wrote. */
export const command = nounCommand({
  name: 'thread',
  description:
    'Your activity: messages about your vAtoms, and messages of other users. A thread has the messages between you and one other user.',
  examples: ['vatom thread list', 'vatom thread show ID'],
  verbs: {
    list: async () => (await import('./list.ts')).listCommand,
    show: async () => (await import('./show.ts')).showCommand,
    send: async () => (await import('./send.ts')).sendCommand,
  },
})
