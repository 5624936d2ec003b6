import { Command } from 'commander'
import { readableText } from '../../../contract/api/message-text.ts'
import type { Payload } from '../../../contract/api/table.ts'
import type { Context } from '../../context.ts'
import type { Output } from '../../io/output.ts'
import { printTable } from '../../io/table.ts'
import { styled } from '../../io/text.ts'
import { type ActivityOptions, addActivityOptions, readActivity, threadPages, whenText } from './pages.ts'

export const listCommand = (context: Context): Command =>
  addActivityOptions(
    new Command('list')
      .summary('list your threads')
      .description(
        'List your threads, the one with the newest message first, each with its other user and last message.',
      ),
    'threads',
  )
    .addHelpText('after', '\nExamples:\n  vatom thread list\n  vatom thread list --all --json')
    .action((options: ActivityOptions) => list(options, context))

type Thread = Payload<'myThreads'>['threads'][number]

async function list(options: ActivityOptions, { connect, output }: Context): Promise<void> {
  const { client } = await connect()
  const { entries: threads, next } = await readActivity(threadPages(client), options)
  const rows = threads.map((thread) => rowOf(thread, output))
  await printTable({ threads, has_more: next !== null, next }, ['USER', 'NAME', 'WHEN', 'LAST MESSAGE'], rows, output)
  if (threads.length === 0) output.note('No threads.')
  if (next !== null) output.note(styled`There are more: --cursor ${next}, or --all`)
}

const rowOf = ({ name, last_message, last_message_user_info }: Thread, output: Output) => {
  const [own = '', other = ''] = name.split(':')
  return [
    other || own,
    last_message_user_info.name,
    whenText(last_message.when_created, output),
    readableText(last_message),
  ]
}
