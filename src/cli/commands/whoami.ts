import { Command } from 'commander'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import { mistakenVariables } from '../service/mistaken-variables.ts'
import type { Target } from '../service/target.ts'
import { nameOf } from '../service/user-tokens.ts'

export const command = (context: Context): Command =>
  new Command('whoami')
    .description('Show who is signed in, and where.')
    .addHelpText('after', '\nExamples:\n  vatom whoami\n  vatom whoami --json | jq .id')
    .action(() => whoami(context))

async function whoami({ connect, host, output, target }: Context): Promise<void> {
  for (const mistake of mistakenVariables(host.env)) output.warn(mistake)
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

/** `name` is null for a service that flags or variables name by its address, `base_url` for the service in this process. */
const contextOf = (target: Target) => ({
  name: target.name ?? null,
  base_url: target.kind === 'local' ? null : target.baseUrl,
})
