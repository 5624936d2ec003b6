import { Command } from 'commander'
import { SessionError } from '../../client/errors.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { usage } from '../failure/failure.ts'
import { deleteTokens } from '../service/config.ts'
import { refuseLocal } from '../service/target.ts'

export const command = (context: Context): Command =>
  new Command('logout')
    .description('End the session on the service, and delete its stored tokens.')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom logout\n  vatom logout --context staging')
    .action(() => logout(context))

/** Ends the session, and deletes its tokens even if the service has ended it before. */
async function logout({ target, connect, credentials, output }: Context): Promise<void> {
  const { name, baseUrl } = refuseLocal(await target(), 'logout')
  if (name === undefined) throw usage('There is no saved session to end', 'choose a context with --context')
  const { client } = await connect()
  const ended = client.logout({}).catch((error: unknown) => {
    if (!(error instanceof SessionError)) throw error
  })
  await would(`sign out of ${name} (${baseUrl})`, ended, 'deleted')
  await deleteTokens(credentials, name)
  output.result({ context: name, signed_in: false }, () => [`Signed out of ${name} (${baseUrl}).`])
}
