import { Command } from 'commander'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { Would, would } from '../dry-run/would.ts'
import { exit, usage } from '../failure/failure.ts'
import { styled } from '../io/text.ts'
import type { YesOption } from '../kinds/confirmations.ts'
import { checkWritable, deleteTokens } from '../service/config.ts'
import { confirmGuestEnd } from '../service/guest-session.ts'
import { endSession, unended } from '../service/session-end.ts'
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
  const { name, baseUrl, unclearSession } = await refuseLocal(await target(), 'logout', host.env)
  if (unclearSession) throw unclearSession
  if (name === undefined) throw usage('There is no saved session to end', 'choose a context with --context')
  const connection = await connect()
  if (connection.session.isNone && (await credentials.read())[name] === undefined)
    return output.report({ context: name, signed_in: false }, () => [
      styled`You are not signed in to ${name} (${baseUrl}): there is no session to end.`,
    ])
  await confirmGuestEnd(name, yes, () => connection.client.getProfile({}), context)
  if (!context.dryRun) await checkWritable(credentials, host.signal)
  const what = `sign out of ${name} (${baseUrl})`
  const ended = endSession(() => connection.client.logout({}), host)
  const failure = await would(what, ended, 'deleted')
  // Without an answer, and where another service issued them, the tokens are deleted all the same.
  if (failure && failure.exitCode !== exit.unreachable && !connection.session.isNone) throw failure
  if (context.dryRun) throw new Would(what, 'deleted')
  await deleteTokens(credentials, name)
  output.report({ context: name, signed_in: false }, () => [`Signed out of ${name} (${baseUrl}).`])
  if (failure) output.warn(unended(failure))
}
