import { Command } from 'commander'
import { SessionError } from '../../client/errors.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { exit, usage } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import { styled } from '../io/text.ts'
import type { YesOption } from '../kinds/confirmations.ts'
import { checkWritable, deleteTokens } from '../service/config.ts'
import { confirmGuestEnd } from '../service/guest-session.ts'
import { unended } from '../service/session-end.ts'
import { refuseLocal } from '../service/target.ts'

export const command = (context: Context): Command =>
  new Command('logout')
    .description('End the session on the service, and delete its stored tokens.')
    .option('--yes', 'do not ask before a guest is signed out')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExamples:\n  vatom logout\n  vatom logout --context staging')
    .action((options: YesOption) => logout(options, context))

/** Ends the session, and deletes its tokens even if the service has ended it before, or does not answer. */
async function logout({ yes }: YesOption, context: Context): Promise<void> {
  const { host, target, connect, credentials, output } = context
  const { name, baseUrl } = refuseLocal(await target(), 'logout')
  if (name === undefined) throw usage('There is no saved session to end', 'choose a context with --context')
  const { client, session } = await connect()
  if (session.isNone)
    return output.result({ context: name, signed_in: false }, () => [
      styled`You are not signed in to ${name} (${baseUrl}): there is no session to end.`,
    ])
  await confirmGuestEnd(name, yes, () => client.getProfile({}), context)
  if (!context.dryRun) await checkWritable(credentials)
  const ended = client.logout({}).catch(async (error: unknown) => {
    if (error instanceof SessionError) return
    const failure = await toFailure(error, host)
    if (failure.exitCode !== exit.unreachable) throw error
    output.warn(unended(failure))
  })
  await would(`sign out of ${name} (${baseUrl})`, ended, 'deleted')
  await deleteTokens(credentials, name)
  output.result({ context: name, signed_in: false }, () => [`Signed out of ${name} (${baseUrl}).`])
}
