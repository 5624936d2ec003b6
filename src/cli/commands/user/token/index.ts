import { nounCommand } from '../../../noun.ts'
import { addCommand } from './add.ts'
import { defaultCommand } from './default.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { resendCommand } from './resend.ts'
import { verifyCommand } from './verify.ts'

/** What a user signs in with and receives messages at. */
export const tokenCommand = nounCommand({
  name: 'token',
  summary: 'list, add, verify and delete your e-mail addresses and phone numbers',
  description:
    'Your user tokens are the e-mail addresses and phone numbers that you sign in with. Messages go to the default one. A token is verified with the code that was sent to it.',
  examples: ['vatom user token add ann@example.com', 'vatom user token verify ann@example.com --code 123456'],
  verbs: [listCommand, addCommand, verifyCommand, resendCommand, defaultCommand, deleteCommand],
})
