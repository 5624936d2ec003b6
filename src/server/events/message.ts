import { timestamp } from '../clock.ts'
import type { Position } from '../store/positions.ts'
import { publish, type Telling } from './tell.ts'

/** What a user is told about their vAtoms, or by another user. */
export interface Message {
  /** Whose activity it is. */
  readonly to: string
  /** Who caused it. */
  readonly from: string
  readonly vatoms: readonly string[]
  /** The variations of the vAtoms. */
  readonly variations: readonly string[]
  /** Text, with names in `<b>`. */
  readonly text: string
  /** `Transfer`, `Drop`, `User Message`. */
  readonly action: string
  /** Where the vAtom lay on the map. */
  readonly place?: Position | undefined
}

/** The name of a user's thread with another, or with themself. */
export const threadName = (user: string, other: string): string => `${user}:${other === user ? '' : other}`

/** Keeps a message in its thread, and tells the user who is connected. Call it inside a write. */
export function deliverMessage(telling: Telling, message: Message): void {
  const content = contentOf(telling, message)
  const seq = keep(telling, message.to, message.from, content)
  publish(telling, 'my_events', message.to, { msg_id: seq, ...content })
}

/** Keeps what a user wrote in their own thread with the other, too, who is told. Call it inside a write. */
export function deliverUserMessage(telling: Telling, message: Message): void {
  deliverMessage(telling, message)
  if (message.from !== message.to) keep(telling, message.from, message.to, contentOf(telling, message))
}

const keep = ({ store, now }: Telling, user: string, other: string, content: object): number =>
  store.messages.add({
    user_id: user,
    thread: threadName(user, other),
    created: now.getTime(),
    json: JSON.stringify(content),
  })

const contentOf = ({ now }: Telling, { to, from, vatoms, variations, text, action, place }: Message) => ({
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
