import { timestamp } from '../clock.ts'
import type { Telling } from './change.ts'

/** What a user is told about their vAtoms, or by another user. */
export interface Message {
  /** Whose activity it is. */
  readonly to: string
  /** Who caused it; empty for nobody. */
  readonly from: string
  readonly vatoms: readonly string[]
  /** The variations of the vAtoms. */
  readonly variations: readonly string[]
  /** Text, with names in `<b>`. */
  readonly text: string
  /** `Transfer`, `Drop`, `User Message`. */
  readonly action: string
  /** Longitude and latitude, where it happened at a place. */
  readonly place?: readonly [number, number]
}

/** Keeps a message in its thread, and tells the user who is connected. Call it inside a write. */
export function tellMessage({ store, now }: Telling, message: Message): void {
  const { to, from, vatoms, variations, text, action, place } = message
  const content = {
    user_id: to,
    vatoms,
    templ_vars: variations,
    msg: text,
    action_name: action,
    when_created: timestamp(now),
    triggered_by: from,
    generic: null,
    geo_pos: place ?? null,
    to_data_lake: false,
    no_message: false,
  }
  const seq = store.messages.add({ user_id: to, thread: `${to}:${from}`, json: JSON.stringify(content) })
  const payload = JSON.stringify({ msg_id: seq, ...content })
  store.events.append({
    msg_type: 'my_events',
    user_id: to,
    lat: null,
    lon: null,
    payload,
    created: now.getTime(),
  })
}
