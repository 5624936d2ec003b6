import { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { dryRunOption } from '../../../dry-run/option.ts'
import { would } from '../../../dry-run/would.ts'
import { hinted } from '../../../failure/hinted.ts'
import { styled } from '../../../io/text.ts'
import { givenToken, noteUnsent } from '../../../service/user-tokens.ts'

export const resendCommand = (context: Context): Command =>
  new Command('resend')
    .summary('send a new code to a token')
    .description(
      'Send a new code to a token that is not verified yet. Earlier codes become invalid. Within a minute after a code no other is sent: that one is valid.',
    )
    .argument('<token>', 'an e-mail address or a phone number')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom user token resend ann@example.com')
    .action((token: string) => resend(token, context))

async function resend(given: string, context: Context): Promise<void> {
  const body = givenToken(given)
  await context.announce()
  const { client, place } = await context.connect()
  const sent = hinted(client.resetVerificationCode({ body }), {
    unknownUser: 'check the e-mail address or phone number',
  })
  const payload = await would(`send a new code to ${body.token} on ${place}`, sent, 'updated')
  context.output.report(payload, () => [
    styled`Sent a new code to ${body.token} on ${place}, unless one was sent within the last minute`,
  ])
  await noteUnsent(context)
}
