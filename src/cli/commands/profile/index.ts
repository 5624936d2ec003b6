import { nounCommand } from '../../noun.ts'
import { avatarCommand } from './avatar.ts'
import { getCommand } from './get.ts'
import { setCommand } from './set.ts'

/** What the service knows of the user. */
export const command = nounCommand({
  name: 'profile',
  description: 'Your profile is what the service stores about you.',
  examples: ['vatom profile get', 'vatom profile set --first-name Ada'],
  verbs: [getCommand, setCommand, avatarCommand],
})
