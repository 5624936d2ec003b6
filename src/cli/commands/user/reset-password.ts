import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import { isUuid } from '../../../contract/api/user-token-formats.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { hinted } from '../../failure/hinted.ts'
import { shellWord, styled } from '../../io/text.ts'
import { confirmed, type YesOption } from '../../kinds/confirmations.ts'
import { flagsOf, loginAs } from '../../service/target.ts'
import { givenToken, noteUnsent } from '../../service/user-tokens.ts'

export const resetPasswordCommand = (context: Context): Command =>
  new Command('reset-password')
    .summary('send a one-time pin in place of a password')
    .description(
      "Send a user a pin, with which they sign in once in place of their password. They keep the password and stay signed in until they use the pin, which ends the password and all their sessions. By id, only the user and administrators of the user's publisher can do it; the pin goes to the user's default token. Within a minute after a pin that is not used no other is sent, and nothing is changed.",
    )
    .argument('<user>', "the user's e-mail address, phone number or id")
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom user reset-password ann@example.com --yes')
    .action((user: string, options: YesOption) => resetPassword(user, options, context))

const instead = 'give the e-mail address or the phone number instead of the id'

async function resetPassword(given: string, { yes }: YesOption, context: Context): Promise<void> {
  const send = sending(given)
  await context.announce()
  await confirmed(`Send ${given} a one-time pin in place of a password?`, '--yes', yes, context)
  const { client, place } = await context.connect()
  const reset = hinted(send(client), {
    unknownUser: 'check the e-mail address or phone number',
    notFound: instead,
    notPublisher: instead,
  })
  const payload = await would(`send ${given} a one-time pin in place of a password on ${place}`, reset, 'updated')
  const { output } = context
  output.report(payload, () => [
    styled`Sent a one-time pin to ${given} on ${place}, unless one was sent within the last minute; a password stays valid until the pin is used in its place`,
  ])
  output.note(styled`To sign in, with the pin as the password: ${await loginCommand(given, context)}`)
  await noteUnsent(context)
}

/** How a user signs in to the service of this run. A session on this machine needs none: there it is a service that runs. */
async function loginCommand(given: string, { target, dirs }: Context): Promise<string> {
  const chosen = await target()
  const flag = given.includes('@') ? 'email' : 'phone'
  const user = isUuid(given) ? '' : ` --${flag} ${shellWord(given)}`
  const name = isUuid(given) ? 'user' : given.replace(/\W+/g, '-').replace(/^-|-$/g, '')
  const command = `${loginAs(name)}${user}`
  if (chosen.kind === 'network') return `${command} ${flagsOf(chosen)}`
  return (await import('../../service/running.ts')).onLocalService(command, dirs)
}

/** The request for an id, or for an e-mail address or a phone number, which is checked first. */
function sending(given: string): (client: Client) => Promise<unknown> {
  if (isUuid(given)) return (client) => client.resetPasswordById({ id: given })
  const body = givenToken(given)
  return (client) => client.resetPassword({ body })
}
