import { Command } from 'commander'
import { tokenCommand } from '../commands/auth/token.ts'
import { addCommand } from '../commands/context/add.ts'
import { listCommand } from '../commands/context/list.ts'
import { removeCommand } from '../commands/context/remove.ts'
import { useCommand } from '../commands/context/use.ts'
import { loginCommand } from '../commands/login.ts'
import { logoutCommand } from '../commands/logout.ts'
import { avatarCommand } from '../commands/profile/avatar.ts'
import { getCommand } from '../commands/profile/get.ts'
import { setCommand } from '../commands/profile/set.ts'
import { whoamiCommand } from '../commands/whoami.ts'
import type { Context } from '../context.ts'

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
