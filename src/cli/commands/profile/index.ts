import { nounCommand } from '../../noun.ts'

/** What the service knows of the user. */
export const command = nounCommand({
  name: 'profile',
  description: 'Your profile is what the service stores about you.',
  examples: ['vatom profile get', 'vatom profile set --first-name Ada'],
  verbs: {
    get: async () => (await import('./get.ts')).getCommand,
    set: async () => (await import('./set.ts')).setCommand,
    avatar: async () => (await import('./avatar.ts')).avatarCommand,
  },
})
