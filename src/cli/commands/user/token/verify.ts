import { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type DryRunOption, dryRunOption } from '../../../dry-run/option.ts'
import { would } from '../../../dry-run/would.ts'
import { hinted, seeList } from '../../../failure/hinted.ts'
import { shellWord, styled } from '../../../io/text.ts'
import { loginAs } from '../../../service/target.ts'
import { givenToken } from '../../../service/user-tokens.ts'

interface VerifyOptions extends DryRunOption {
  readonly code?: string
}

export const verifyCommand = (context: Context): Command =>
  new Command('verify')
    .summary('verify a token with the code that was sent to it')
    .description('Verify one of your tokens with the code that was sent to it. The first one activates you.')
    .argument('<token>', 'an e-mail address or a phone number')
    .option('--code <code>', 'the code that was sent')
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom user token verify ann@example.com --code 123456')
    .action((token: string, options: VerifyOptions) => verify(token, options, context))

async function verify(given: string, { code }: VerifyOptions, context: Context): Promise<void> {
  const key = givenToken(given)
  await context.announce()
  const verify_code = code ?? (await context.prompt.text(`The code that was sent to ${key.token}`, '--code'))
  const [{ Verification }, { checkValue }] = await Promise.all([
    import('../../../../contract/api/user-token.ts'),
    import('../../../kinds/load-checked.ts'),
  ])
  const body = await checkValue(Verification(), { ...key, verify_code }, { verify_code: '--code' })
  const { client, place } = await context.connect()
  const verified = hinted(client.verifyUserToken({ body }), {
    wrongCode: `to get another code: vatom user token resend ${shellWord(key.token)}`,
    unknownUser: `if another user has it, sign in as that user: ${loginAs('NAME')}; else add it first: vatom user token add ${shellWord(key.token)}; ${seeList('user token list')}`,
  })
  const payload = await would(`verify ${key.token} on ${place}`, verified, 'updated')
  context.output.report(payload, () => [styled`Verified ${key.token} on ${place}`])
}
