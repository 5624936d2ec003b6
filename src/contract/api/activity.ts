import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { anyObject, text } from '../schema/scalars.ts'
import type { Rows } from './endpoint.ts'

/** Production's are numbers in scientific notation. */
const cursor = lazy(() =>
  z.string().regex(/^(\d+(\.\d+)?([eE]\+?\d{1,2})?)?$/, { error: 'must be the cursor of an earlier answer' }),
)

const paging = lazy(() => ({
  cursor: cursor().nullish().describe('Lists only what is older than this cursor; "" or omitted: from the newest.'),
  count: z
    .int()
    .min(0, { error: 'must not be below 0' })
    .nullish()
    .describe(`How many at most, up to ${limits.pageMax}; ${limits.pageMax} when 0 or omitted.`),
}))

/** Body of Get My Threads. */
export const ThreadsPage = named('ThreadsPage', () => z.object(paging()))

/** Body of Get My Thread Messages; without a name it is refused like the thread of others. */
export const ThreadMessagesPage = named('ThreadMessagesPage', () =>
  z.object({ name: z.string().nullish().describe('The name of the thread.'), ...paging() }),
)

/** Body of Send Message. */
export const WrittenMessage = named('WrittenMessage', () =>
  z.object({
    id: text(limits.name).min(1, { error: 'must not be empty' }).describe('Id of the recipient.'),
    message: text(limits.message).min(1, { error: 'must not be empty' }),
  }),
)

/** What happened to a user's vAtoms, or what another wrote to them. */
const ActivityMessage = named(
  'ActivityMessage',
  () =>
    z.looseObject({
      msg_id: z.int(),
      user_id: z.string().describe('Id of the recipient.'),
      vatoms: z.array(z.string()),
      templ_vars: z.array(z.string()).nullable(),
      msg: z.string(),
      action_name: z.string(),
      when_created: z.string(),
      triggered_by: z.string().describe('Id of the user who caused it.'),
      generic: z.array(anyObject()).nullable(),
      geo_pos: z.array(z.number()).nullable().describe('Longitude and latitude of the vAtom on the map.'),
      to_data_lake: z.boolean(),
      no_message: z.boolean(),
    }),
  'A message of a thread.',
)
export type ActivityMessage = ValueOf<typeof ActivityMessage>

const when = lazy(() => z.number().describe('Nanoseconds since 1970.'))

const next = lazy(() => z.string().describe('Cursor of the next page, with older entries.'))

/** Payload of Get My Threads, newest first. */
export const Threads = named('Threads', () =>
  z.looseObject({
    cursor: next(),
    threads: z.array(
      z.looseObject({
        name: z.string(),
        when_modified: when(),
        last_message: ActivityMessage(),
        last_message_user_info: z.looseObject({ name: z.string(), avatar_uri: z.string() }),
      }),
    ),
  }),
)

/** Payload of Get My Thread Messages, newest first. */
export const ThreadMessages = named('ThreadMessages', () =>
  z.looseObject({
    cursor: next(),
    messages: z.array(z.looseObject({ message: ActivityMessage(), when_modified: when() })),
  }),
)

/** Operations on a user's activity: threads and messages. */
export const activityRows = {
  myThreads: {
    method: 'POST',
    path: '/v1/activity/mythreads',
    auth: 'user',
    reads: true,
    summary: "List the threads of the user's activity",
    body: ThreadsPage,
    unknownKeys: 'ignored',
    payload: Threads,
    errors: ['invalid'],
    details: [
      'a thread is named after the user and the other user; messages of users to themselves are in a thread named after the user alone',
      'name and avatar_uri are those of the other user if they are public, else empty',
      'send a cursor back unchanged; the last page answers the cursor of its request',
    ],
  },
  myThreadMessages: {
    method: 'POST',
    path: '/v1/activity/mythreadmessages',
    auth: 'user',
    reads: true,
    summary: "List the messages of a thread of the user's activity",
    body: ThreadMessagesPage,
    unknownKeys: 'ignored',
    payload: ThreadMessages,
    errors: ['foreignThread', 'invalid'],
    details: ['a thread of the user that has no messages yet is answered as an empty list'],
  },
  sendMessage: {
    method: 'POST',
    path: '/v1/user/message',
    auth: 'user',
    spec: null,
    summary: 'Send a message to a user',
    body: WrittenMessage,
    unknownKeys: 'ignored',
    errors: ['invalid', 'missingReference'],
    details: [
      'the message is added to the threads of both users, as it was written; the recipient receives an event over the WebSocket',
      `a message has at most ${limits.message} characters`,
    ],
  },
} as const satisfies Rows
