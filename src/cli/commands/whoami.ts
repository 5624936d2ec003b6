import { Command } from 'commander'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import { contextOf } from '../service/target.ts'
import { nameOf } from '../service/user-tokens.ts'

export const command = (context: Context): Command =>
  new Command('whoami')
    .description('Show who is signed in, and where.')
    .addHelpText('after', '\nExamples:\n  vatom whoami\n  vatom whoami --json | jq .id')
    .action(() => whoami(context))

async function whoami({ connect, output, takeMistaken, target }: Context): Promise<void> {
  for (const mistake of await takeMistaken()) output.warn(mistake)
  const { client, place } = await connect()
  const user = await client.getProfile({})
  const name = await nameOf(user, client)
  const { pub_fqdn, is_admin } = user.system_properties
  const { bold } = output.paint
  output.result({ ...user, context: contextOf(await target()) }, () => [
    styled`${bold('user')}       ${[name, user.id].filter(Boolean).join(' ')}`,
    styled`${bold('publisher')}  ${pub_fqdn ? `${pub_fqdn}${is_admin ? '' : ' (not an administrator)'}` : '(none)'}`,
    styled`${bold('context')}    ${place}`,
  ])
}
