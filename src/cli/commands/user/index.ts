import { nounCommand } from '../../noun.ts'
import { deleteCommand } from './delete.ts'
import { getCommand } from './get.ts'
import { registerCommand } from './register.ts'
import { resetPasswordCommand } from './reset-password.ts'
import { tokenCommand } from './token/index.ts'

/** The people who own vAtoms. */
export const command = nounCommand({
  name: 'user',
  description:
    'Users own vAtoms. They sign in with a user token: an e-mail address or a phone number with a password, or the guest id of a guest. Your own profile: vatom profile.',
  examples: ['vatom user register --email ann@example.com', 'vatom user token list'],
  verbs: [registerCommand, getCommand, resetPasswordCommand, deleteCommand, tokenCommand],
})
