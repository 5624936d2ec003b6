import { nounCommand } from '../../noun.ts'

/** The people who own vAtoms. */
export const command = nounCommand({
  name: 'user',
  description:
    'Users own vAtoms. They sign in with a user token: an e-mail address or a phone number with a password, or the guest id of a guest. Your own profile: vatom profile.',
  examples: ['vatom user register --email ann@example.com', 'vatom user token list'],
  verbs: {
    register: async () => (await import('./register.ts')).registerCommand,
    get: async () => (await import('./get.ts')).getCommand,
    'reset-password': async () => (await import('./reset-password.ts')).resetPasswordCommand,
    delete: async () => (await import('./delete.ts')).deleteCommand,
    token: async () => (await import('./token/index.ts')).tokenCommand,
  },
})
