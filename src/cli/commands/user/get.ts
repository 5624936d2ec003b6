import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { hinted } from '../../failure/hinted.ts'
import { isBeginning } from '../../kinds/short-id.ts'
import { checkUserId } from '../../service/user-ids.ts'
import { profileLines } from '../profile/get.ts'
import { meantUser } from '../thread/meant-user.ts'

export const getCommand = (context: Context): Command =>
  new Command('get')
    .summary('show what others see of a user')
    .description('Show what others see of a user: names and avatar, unless the user hides them.')
    .argument('<id>', "the user's id, or its beginning: yours, or of one of vatom thread list")
    .addHelpText('after', '\nExample:\n  vatom user get ID')
    .action((id: string) => get(id, context))

async function get(given: string, { connect, output }: Context): Promise<void> {
  if (!isBeginning(given)) checkUserId(given)
  const { client } = await connect()
  const id = await meantUser(given, client)
  const user = await hinted(client.getUser({ id }), { notFound: 'your own id is in: vatom whoami' })
  output.result(user, () => profileLines({ id, properties: user.properties }))
}
