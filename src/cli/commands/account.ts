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
  new Command('auth').addCommand(tokenCommand(context)),
  new Command('context')
    .addCommand(listCommand(context))
    .addCommand(useCommand(context))
    .addCommand(addCommand(context))
    .addCommand(removeCommand(context)),
  new Command('profile')
    .addCommand(getCommand(context))
    .addCommand(setCommand(context))
    .addCommand(avatarCommand(context)),
]
