import { Command } from 'commander'
import type { Context } from '../context.ts'
import { nounCommand } from '../noun.ts'

const tokenCommand = (context: Context): Command =>
  new Command('token')
    .summary('print a fresh access token')
    .description('Print an access token that has not expired, for use with curl.')
    .addHelpText(
      'after',
      '\nExample:\n  curl -H "App-Id: $ID" -H "Authorization: Bearer $(vatom auth token)" \\\n    "$URL/v1/user"',
    )
    .action(() => token(context))

/** What other programs sign in with. */
export const command = nounCommand({
  name: 'auth',
  description: 'Print an access token for other programs.',
  examples: ['curl -H "Authorization: Bearer $(vatom auth token)" …'],
  verbs: [tokenCommand],
})

async function token({ connect, output }: Context): Promise<void> {
  const { session } = await connect()
  const accessToken = await session.accessToken()
  output.result({ access_token: accessToken }, () => [accessToken])
}
