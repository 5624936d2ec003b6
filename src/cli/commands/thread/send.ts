import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { hinted } from '../../failure/hinted.ts'
import { styled } from '../../io/text.ts'
import { isBeginning } from '../../kinds/short-id.ts'
import { checkUserId } from '../../service/user-ids.ts'
import { meantUser } from './meant-user.ts'

export const sendCommand = (context: Context): Command =>
  new Command('send')
    .summary('send a message to a user')
    .description('Send a message to a user. It is added to the threads of both of you.')
    .argument('<user>', 'the id of the user; or its beginning, of one that you have a thread with')
    .argument('<message>', 'the text')
    .addOption(dryRunOption())
    .addHelpText('after', "\nExample:\n  vatom thread send ID 'Your coupon is on its way'")
    .action((user: string, message: string) => send(user, message, context))

async function send(given: string, message: string, context: Context): Promise<void> {
  if (!isBeginning(given)) checkUserId(given)
  const [{ WrittenMessage }, { checkValue }] = await Promise.all([
    import('../../../contract/api/activity.ts'),
    import('../../kinds/load-checked.ts'),
  ])
  const body = await checkValue(WrittenMessage(), { id: given, message }, { id: 'user', message: 'message' })
  await context.announce()
  const { client, place } = await context.connect()
  const id = await meantUser(given, client)
  const sent = hinted(client.sendMessage({ body: { ...body, id } }), {
    missingReference: 'give the whole id of a user, or the beginning of one of: vatom thread list',
  })
  const payload = await would(`send a message to ${id} on ${place}`, sent)
  context.output.report(payload, () => [styled`Sent a message to ${id} on ${place}`])
}
