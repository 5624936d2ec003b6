import type { ActivityMessage } from '../../contract/api/activity.ts'
import { limits } from '../../contract/limits.ts'
import type { MessageRow } from '../store/messages.ts'
import type { Position } from '../store/vatoms/positions.ts'
import type { Moment } from './caller.ts'
import { timestamp } from './clock.ts'
import { publish } from './events.ts'
import { publicName, publicUserRecord } from './users/user.ts'

/** A message to a user about their vAtoms, or from another user. */
export interface Message {
  /** Whose activity it is. */
  readonly to: string
  /** Id of the user who caused it. */
  readonly from: string
  readonly vatoms: readonly string[]
  /** The variations of the vAtoms. */
  readonly variations: readonly string[]
  /** Text, with names in `<b>`. */
  readonly text: string
  /** `Transfer`, `Drop`, `User Message`. */
  readonly action: string
  /** Where the vAtom was on the map. */
  readonly place?: Position | undefined
}

/** The name of a user's thread with another, or with themselves. */
const threadName = (user: string, other: string): string => `${user}:${other === user ? '' : other}`

/** Adds a message to its thread, and publishes it to the user. Call it inside a write. */
export function deliverMessage(moment: Moment, message: Message): void {
  const content = contentOf(moment, message)
  const seq = addToThread(moment, message.to, message.from, content)
  publish(moment, 'my_events', message.to, { msg_id: seq, ...content })
}

/** The same for a message of a user, which is also added to the sender's thread. Call it inside a write. */
export function deliverUserMessage(moment: Moment, message: Message): void {
  deliverMessage(moment, message)
  if (message.from !== message.to) addToThread(moment, message.from, message.to, contentOf(moment, message))
}

const addToThread = ({ store, now }: Moment, user: string, other: string, content: object): number =>
  store.messages.add({
    user_id: user,
    thread: threadName(user, other),
    created: now.getTime(),
    json: JSON.stringify(content),
  })

const contentOf = ({ now }: Moment, { to, from, vatoms, variations, text, action, place }: Message) => ({
  user_id: to,
  vatoms,
  templ_vars: variations,
  msg: text,
  action_name: action,
  when_created: timestamp(now),
  triggered_by: from,
  generic: null,
  geo_pos: place ? [place.lon, place.lat] : null,
  to_data_lake: false,
  no_message: false,
})

/** Which page of activity a request asks for. */
interface PageRequest {
  readonly cursor?: string | null | undefined
  readonly count?: number | null | undefined
}

const newest = Number.MAX_SAFE_INTEGER

/** The page of messages a request asks for; a cursor is the id of the last message of the page before. */
export const messagePage = ({ cursor, count }: PageRequest) => ({
  before: cursor ? Math.min(Math.floor(Number(cursor)), newest) : newest,
  limit: Math.min(count || limits.pageMax, limits.pageMax),
})

/** The cursor of the next page; 0 if there are no messages. */
export const cursorAfter = (ids: readonly number[], { cursor }: PageRequest): string =>
  String(ids.at(-1) ?? (cursor || 0))

/** A message as it is answered. */
export const messageRecord = ({ seq, json }: MessageRow): ActivityMessage => ({ msg_id: seq, ...JSON.parse(json) })

/** When a message was stored, in nanoseconds since 1970; microseconds keep messages of one millisecond in order. */
export const storedAt = ({ created, seq }: MessageRow): number => created * 1e6 + (seq % 1000) * 1000

/** The public name and avatar of a user; empty for a user who does not exist. `baseUrl` is the address of the service. */
export function publicInfo({ store, baseUrl }: Moment & { readonly baseUrl: string }, id: string) {
  const user = store.users.byId(id)
  if (!user) return { name: '', avatar_uri: '' }
  const { avatar_uri = '' } = publicUserRecord(user, baseUrl).properties
  return { name: publicName(user), avatar_uri }
}
