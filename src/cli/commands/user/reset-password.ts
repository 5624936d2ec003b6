import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import { isUuid } from '../../../contract/api/user-token-formats.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { hinted } from '../../failure/hinted.ts'
import { styled } from '../../io/text.ts'
import { confirmed, type YesOption } from '../../kinds/confirmations.ts'
import { givenToken, noteUnsent } from '../../service/user-tokens.ts'

export const resetPasswordCommand = (context: Context): Command =>
  new Command('reset-password')
    .summary('remove a password and send a one-time pin')
    .description(
      "Remove a user's password and send the user a pin, with which they sign in once instead. They stay signed in until they use it, which ends all their sessions. By id, only the user and administrators of the user's publisher can do it; the pin goes to the user's default token.",
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
  await confirmed(`Remove the password of ${given} and send a one-time pin?`, '--yes', yes, context)
  const { client, place } = await context.connect()
  const reset = hinted(send(client), {
    unknownUser: 'check the e-mail address or phone number',
    notFound: instead,
    notPublisher: instead,
  })
  const payload = await would(`remove the password of ${given} and send a one-time pin on ${place}`, reset, 'updated')
  context.output.result(payload, () => [
    styled`Removed the password of ${given} on ${place}; a one-time pin was sent, which vatom login takes as the password`,
  ])
  await noteUnsent(context)
}

/** The request for an id, or for an e-mail address or a phone number, which is checked first. */
function sending(given: string): (client: Client) => Promise<unknown> {
  if (isUuid(given)) return (client) => client.resetPasswordById({ id: given })
  const body = givenToken(given)
  return (client) => client.resetPassword({ body })
}
