import { Command } from 'commander'
import type { Context } from '../context.ts'
import { tokenCommand } from './auth/token.ts'
import { addCommand } from './context/add.ts'
import { listCommand } from './context/list.ts'
import { removeCommand } from './context/remove.ts'
import { useCommand } from './context/use.ts'
import { loginCommand } from './login.ts'
import { logoutCommand } from './logout.ts'
import { avatarCommand } from './profile/avatar.ts'
import { getCommand } from './profile/get.ts'
import { setCommand } from './profile/set.ts'
import { whoamiCommand } from './whoami.ts'

/** Who you are, and where. */
export const commands = (context: Context): Command[] => [
  loginCommand(context),
  logoutCommand(context),
  whoamiCommand(context),
  new Command('auth')
    .description('Print what other programs sign in with.')
    .addHelpText('after', '\nExample:\n  curl -H "Authorization: Bearer $(vatom auth token)" …')
    .addCommand(tokenCommand(context)),
  new Command('context')
    .description('Contexts are services under a name; local is the one on this machine.')
    .addHelpText('after', '\nExamples:\n  vatom context list\n  vatom context use staging')
    .addCommand(listCommand(context))
    .addCommand(useCommand(context))
    .addCommand(addCommand(context))
    .addCommand(removeCommand(context)),
  new Command('profile')
    .description('Your profile is what the service knows of you.')
    .addHelpText('after', '\nExamples:\n  vatom profile get\n  vatom profile set --first-name Ada')
    .addCommand(getCommand(context))
    .addCommand(setCommand(context))
    .addCommand(avatarCommand(context)),
]
