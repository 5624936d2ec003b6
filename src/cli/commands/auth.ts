import { Command } from 'commander'
import { endOf, type Session } from '../../client/session.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { styled } from '../io/text.ts'
import { nounCommand } from '../noun.ts'
import { refuseLocal } from '../service/target.ts'

interface TokenOptions {
  readonly refresh?: boolean
  readonly yes?: boolean
}

const tokenCommand = (context: Context): Command =>
  new Command('token')
    .summary('print an access token, or the refresh token')
    .description(
      'Print an access token that is valid for two minutes at least, for use with curl; or with --refresh the refresh token of the session, for a pipeline. When that ends is on stderr.',
    )
    .option('--refresh', 'print the refresh token, with which others can act as you until it ends')
    .option('--yes', 'with --refresh: do not ask')
    .addHelpText(
      'after',
      `
Examples:
  curl -H "App-Id: $ID" -H "Authorization: Bearer $(vatom auth token)" \\
    "$URL/v1/user"
  token=$(vatom auth token --refresh --yes) &&
    printf %s "$token" | gh secret set VATOM_REFRESH_TOKEN`,
    )
    .action((options: TokenOptions) => token(options, context))

/** What other programs sign in with. */
export const command = nounCommand({
  name: 'auth',
  description: 'Print an access token or a refresh token for other programs.',
  examples: ['curl -H "Authorization: Bearer $(vatom auth token)" …', 'vatom auth token --refresh'],
  verbs: { token: async () => tokenCommand },
})

async function token({ refresh, yes }: TokenOptions, context: Context): Promise<void> {
  if (refresh) return refreshToken(yes, context)
  if (yes) throw usage('--yes goes with --refresh', 'an access token is printed without a question')
  const { session } = await context.connect()
  const accessToken = await lastingToken(session, context)
  context.output.result({ access_token: accessToken }, () => [accessToken])
}

/** Milliseconds for which a printed access token is valid at least, where a new one can be had. */
const shortest = 120_000

async function lastingToken(session: Session, { host }: Context): Promise<string> {
  const token = await session.accessToken()
  const end = endOf(token)
  if (end === undefined || end.getTime() - host.now().getTime() >= shortest) return token
  return (await session.renew()) ?? token
}

/** Prints the refresh token of a saved context, if its service accepts it. */
async function refreshToken(yes: boolean | undefined, context: Context): Promise<void> {
  const { output, host } = context
  const target = await refuseLocal(await context.target(), 'refresh token', host.env)
  if (target.environmentTokens) throw inEnvironment()
  const [{ refreshTokenOf, endText, endingSoon }, { confirmed }] = await Promise.all([
    import('../service/session-end.ts'),
    import('../kinds/confirmations.ts'),
  ])
  const { session } = await context.connect()
  await session.renew()
  const refresh_token = String(await refreshTokenOf(target, context))
  const end = endOf(refresh_token)
  const question = `Print the refresh token of ${target.name}? Whoever has it can act as you`
  await confirmed(question, '--yes', yes, context)
  output.result({ refresh_token, ends_at: end?.toISOString() ?? null }, () => [refresh_token])
  output.note(end ? styled`It ends at ${endText(end, host.now())}.` : 'When it ends is not known.')
  const name = target.name ?? ''
  output.note(
    styled`vatom logout --context ${name} ends it at once, as does vatom context remove ${name} without --keep-session; signing in again does not.`,
  )
  const soon = await endingSoon(target, context)
  if (soon) output.warn(styled`${soon.message}; ${soon.hint}, then print that one`)
}

const inEnvironment = () =>
  usage(
    'The session comes from the environment, which has its token already',
    'for a new token, where you can sign in: vatom login, then vatom auth token --refresh --yes',
  )
