import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import { readableText, userMessage } from '../../../contract/api/message-text.ts'
import type { Payload } from '../../../contract/api/table.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { hinted, seeList } from '../../failure/hinted.ts'
import type { Output } from '../../io/output.ts'
import { tableLines } from '../../io/table.ts'
import { type Line, screenLines, styled } from '../../io/text.ts'
import { isBeginning } from '../../kinds/short-id.ts'
import { checkUserId } from '../../service/user-ids.ts'
import { meantUser } from './meant-user.ts'
import { type ActivityOptions, type ActivityReading, addActivityOptions, readActivity, whenText } from './pages.ts'

export const showCommand = (context: Context): Command =>
  addActivityOptions(
    new Command('show')
      .summary('show the messages of a thread')
      .description('Show the messages between you and another user, the newest first.')
      .argument('<user>', 'the id of the other user, or its beginning, or the name of the thread'),
    'messages',
  )
    .addHelpText('after', '\nExamples:\n  vatom thread show ID\n  vatom thread show ID --limit 10 --json')
    .action((user: string, options: ActivityOptions) => show(user, options, context))

type Message = Payload<'myThreadMessages'>['messages'][number]

async function show(given: string, options: ActivityOptions, { connect, output }: Context): Promise<void> {
  if (!isBeginning(given)) checkUserId(given)
  const { client } = await connect()
  const name = await threadOf(given, client)
  const { entries: messages, next } = await readActivity(messagePages(name, client), options)
  if (messages.length === 0 && options.cursor === undefined) throw noThread(given)
  const [own] = name.split(':')
  const rows = messages.map(
    ({ message }): Row => [
      whenText(message.when_created, output),
      message.triggered_by === own ? 'you' : 'them',
      message.action_name,
      readableText(message),
    ],
  )
  await output.listing({ name, messages, has_more: next !== null, next }, () => linesOf(rows, output))
  if (messages.length === 0) output.note('No older messages.')
  if (next !== null) output.note(styled`There are more: --cursor ${next}, or --all`)
}

/** Reads the messages of a thread. That an id is no other message's is said nowhere: with its time it is none's. */
const messagePages = (name: string, client: Client): ActivityReading<Message> => ({
  ask: async (paging) => {
    const read = client.myThreadMessages({ body: { name, ...paging } })
    const { messages, cursor } = await hinted(read, { foreignThread: seeList('thread list') })
    return { entries: messages, cursor }
  },
  keyOf: ({ message, when_modified }) => `${message.msg_id} ${when_modified}`,
})

type Row = readonly [when: string, from: string, about: string, text: string]

/** On a terminal messages below who sent them and when, as they may be long; elsewhere rows for cut and awk. */
const linesOf = (rows: readonly Row[], output: Output): readonly Line[] =>
  output.isTTY
    ? screenLines(
        rows.flatMap((row) => messageLines(row, output)),
        output,
      )
    : tableLines(['WHEN', 'FROM', 'ABOUT', 'MESSAGE'], rows, output)

const messageLines = ([when, from, about, text]: Row, { paint }: Output): readonly Line[] => [
  about === userMessage
    ? styled`${paint.bold(`${when}  ${from}`)}`
    : styled`${paint.bold(`${when}  ${from}`)}  ${about}`,
  ...text.split('\n').map((line) => `  ${line}`),
]

/** A service has no threads without messages. */
const noThread = (given: string) =>
  new Failure('not_found', exit.refused, `There is no thread ${given}`, { hint: seeList('thread list') })

/** A thread is named after both users; that with oneself only after oneself. */
async function threadOf(given: string, client: Client): Promise<string> {
  if (given.includes(':')) return given
  const { id } = await client.getProfile({})
  const other = await meantUser(given, client)
  return `${id}:${other === id ? '' : other}`
}
