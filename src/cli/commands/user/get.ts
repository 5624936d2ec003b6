import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { hinted } from '../../failure/hinted.ts'
import { checkUserId } from '../../service/user-ids.ts'
import { profileLines } from '../profile/get.ts'

export const getCommand = (context: Context): Command =>
  new Command('get')
    .summary('show what others see of a user')
    .description('Show what others see of a user: names and avatar, unless the user hides them.')
    .argument('<id>', "the user's id")
    .addHelpText('after', '\nExample:\n  vatom user get ID')
    .action((id: string) => get(id, context))

async function get(id: string, { connect, output }: Context): Promise<void> {
  checkUserId(id)
  const { client } = await connect()
  const user = await hinted(client.getUser({ id }), { notFound: 'your own id is in: vatom whoami' })
  output.result(user, () => profileLines({ id, properties: user.properties }))
}
