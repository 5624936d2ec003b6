import { Command } from 'commander'
import type { User } from '../../../contract/api/user.ts'
import type { Context } from '../../context.ts'
import { type Line, styled } from '../../io/text.ts'

export const getCommand = (context: Context): Command =>
  new Command('get')
    .summary('show your profile')
    .description('Show your profile.')
    .addHelpText('after', '\nExamples:\n  vatom profile get\n  vatom profile get --json')
    .action(() => get(context))

async function get({ connect, output }: Context): Promise<void> {
  const { client } = await connect()
  const user = await client.getProfile({})
  output.result(user, () => profileLines(user))
}

/** A user, as they see themself or as others do, a field a line. */
export const profileLines = (
  user: Pick<User, 'id'> & Partial<Record<'properties' | 'system_properties', object>>,
): Line[] => [
  `id: ${user.id}`,
  ...Object.entries({ ...user.properties, ...user.system_properties })
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => styled`${name}: ${String(value)}`),
]
