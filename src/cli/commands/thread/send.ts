import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { hinted } from '../../failure/hinted.ts'
import { styled } from '../../io/text.ts'
import { checkUserId } from '../../service/user-ids.ts'

export const sendCommand = (context: Context): Command =>
  new Command('send')
    .summary('send a message to a user')
    .description('Send a message to a user. It is added to the threads of both of you.')
    .argument('<user>', 'the id of the user')
    .argument('<message>', 'the text')
    .addOption(dryRunOption())
    .addHelpText('after', "\nExample:\n  vatom thread send ID 'Your coupon is on its way'")
    .action((user: string, message: string) => send(user, message, context))

async function send(id: string, message: string, context: Context): Promise<void> {
  checkUserId(id)
  const [{ WrittenMessage }, { checkValue }] = await Promise.all([
    import('../../../contract/api/activity.ts'),
    import('../../kinds/load-checked.ts'),
  ])
  const body = await checkValue(WrittenMessage(), { id, message }, { id: 'user', message: 'message' })
  await context.announce()
  const { client, place } = await context.connect()
  const sent = hinted(client.sendMessage({ body }), {
    missingReference: 'give the id of a user, as in: vatom thread list',
  })
  const payload = await would(`send a message to ${id} on ${place}`, sent)
  context.output.result(payload, () => [styled`Sent a message to ${id} on ${place}`])
}
