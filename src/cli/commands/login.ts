import { Command } from 'commander'
import type { Context } from '../context.ts'
import type { LoginOptions } from '../service/sign-in.ts'

export const command = (context: Context): Command =>
  new Command('login')
    .description('Sign in to a service and make it the current context.')
    .option('--email <address>', 'sign in with this e-mail address')
    .option('--phone <number>', 'sign in with this phone number')
    .option('--password-stdin', 'read the password from standard input')
    .option('--guest', 'sign in as a new guest, who needs no address and no password')
    .option('--guest-id-stdin', 'read the guest id of an earlier guest from standard input')
    .option('--refresh-token-stdin', 'read a refresh token from standard input instead of signing in')
    .option('--yes', 'do not ask before the session of a guest is replaced')
    .addHelpText(
      'after',
      `
Examples:
  vatom login --base-url https://api.example.com --app-id ID --email me@x.com
  printf %s "$PASSWORD" | vatom login --context staging \\
    --email me@x.example --password-stdin
  vatom login --base-url http://127.0.0.1:4100 --app-id local --guest

The context gets its name from --context, or else from the host of --base-url.
On a terminal it asks for what is missing, up to three times for the password.`,
    )
    .action((options: LoginOptions) => login(options, context))

const login = async (options: LoginOptions, context: Context): Promise<void> =>
  (await import('../service/sign-in.ts')).signIn(options, context)
