import { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { dryRunOption } from '../../../dry-run/option.ts'
import { would } from '../../../dry-run/would.ts'
import { styled } from '../../../io/text.ts'
import { ownToken } from '../../../service/user-tokens.ts'

export const defaultCommand = (context: Context): Command =>
  new Command('default')
    .summary('make a token your default one')
    .description('Make one of your tokens the default one, which messages go to.')
    .argument('<token>', 'an e-mail address, a phone number, or the id of a token')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom user token default ann@example.com')
    .action((token: string) => makeDefault(token, context))

async function makeDefault(given: string, context: Context): Promise<void> {
  await context.announce()
  const { client, place } = await context.connect()
  const { id, properties } = await ownToken(client, given)
  const what = `make ${properties.token} your default token on ${place}`
  const payload = await would(what, client.setDefaultUserToken({ id }), 'updated')
  context.output.report(payload, () => [styled`${properties.token} is now your default token on ${place}`])
}
