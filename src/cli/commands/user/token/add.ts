import { Command } from 'commander'
import type { Client } from '../../../../client/client.ts'
import type { TokenKey } from '../../../../contract/api/user-token-formats.ts'
import type { Context } from '../../../context.ts'
import { type DryRunOption, dryRunOption } from '../../../dry-run/option.ts'
import { would } from '../../../dry-run/would.ts'
import { type Hint, hinted } from '../../../failure/hinted.ts'
import { shellWord, styled } from '../../../io/text.ts'
import { givenToken, noteUnsent } from '../../../service/user-tokens.ts'

interface AddOptions extends DryRunOption {
  readonly default?: boolean
}

export const addCommand = (context: Context): Command =>
  new Command('add')
    .summary('add an e-mail address or a phone number')
    .description('Add an e-mail address or a phone number to your tokens. A code to verify it is sent to it.')
    .argument('<token>', 'an e-mail address, or a phone number with its country code')
    .option('--default', 'make it your default token')
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      '\nExamples:\n  vatom user token add ann@example.com\n  vatom user token add +41791234567 --default',
    )
    .action((token: string, options: AddOptions) => add(token, options, context))

async function add(given: string, { default: is_primary = false }: AddOptions, context: Context): Promise<void> {
  const key = givenToken(given)
  await context.announce()
  const { client, place } = await context.connect()
  const what = `${key.token} ${is_primary ? 'as your default token' : 'to your tokens'} on ${place}`
  const adding = hinted(client.addUserToken({ body: { ...key, is_primary } }), { tokenTaken: ownHint(key, client) })
  const added = await would(`add ${what}`, adding)
  context.output.report(added, () => [styled`Added ${what}`])
  context.output.note(styled`to verify it: ${context.output.hint(`vatom user token verify ${shellWord(key.token)}`)}`)
  await noteUnsent(context)
}

/** What to do about a token that is taken, if it is the user's own: that of a guest to whom something was sent. */
const ownHint =
  ({ token }: TokenKey, client: Client): Hint =>
  async () => {
    const isOwn = (await client.listUserTokens({})).some(({ properties }) => properties.token === token)
    return isOwn ? `it is yours; for a code to verify it: vatom user token resend ${shellWord(token)}` : undefined
  }
