import { nounCommand } from '../../../noun.ts'

/** What a user signs in with and receives messages at. */
export const tokenCommand = nounCommand({
  name: 'token',
  summary: 'list, add, verify and delete your e-mail addresses and phone numbers',
  description:
    'Your user tokens are the e-mail addresses and phone numbers that you sign in with. Messages go to the default one. A token is verified with the code that was sent to it.',
  examples: ['vatom user token add ann@example.com', 'vatom user token verify ann@example.com --code 123456'],
  verbs: {
    list: async () => (await import('./list.ts')).listCommand,
    add: async () => (await import('./add.ts')).addCommand,
    verify: async () => (await import('./verify.ts')).verifyCommand,
    resend: async () => (await import('./resend.ts')).resendCommand,
    default: async () => (await import('./default.ts')).defaultCommand,
    delete: async () => (await import('./delete.ts')).deleteCommand,
  },
})
