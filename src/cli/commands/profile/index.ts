import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { avatarCommand } from './avatar.ts'
import { getCommand } from './get.ts'
import { setCommand } from './set.ts'

/** What the service knows of the user. */
export const command = (context: Context): Command =>
  new Command('profile')
    .description('Your profile is what the service stores about you.')
    .addHelpText('after', '\nExamples:\n  vatom profile get\n  vatom profile set --first-name Ada')
    .addCommand(getCommand(context))
    .addCommand(setCommand(context))
    .addCommand(avatarCommand(context))
