import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { tokenCommand } from './token.ts'

/** What other programs sign in with. */
export const command = (context: Context): Command =>
  new Command('auth')
    .description('Print an access token for other programs.')
    .addHelpText('after', '\nExample:\n  curl -H "Authorization: Bearer $(vatom auth token)" …')
    .addCommand(tokenCommand(context))
