import type { Scope } from '../operations/handler.ts'

/** What telling needs. */
export type Telling = Pick<Scope, 'store' | 'now'>

/** A place on the map, in degrees. */
export interface Point {
  readonly lat: number
  readonly lon: number
}

/** Kinds of events; one of `arrivals` is told as `inventory` for each vAtom, and `replaced` makes clients connect again. */
type Kind = 'inventory' | 'arrivals' | 'state_update' | 'my_events' | 'map' | 'replaced'

/** Keeps an event for those who are connected; call it inside a write. */
export const publish = ({ store, now }: Telling, msg_type: Kind, user_id: string, payload: object, at?: Point): void =>
  store.events.append({
    msg_type,
    user_id,
    lat: at?.lat ?? null,
    lon: at?.lon ?? null,
    payload: JSON.stringify(payload),
    created: now.getTime(),
  })

/** Tells everybody that all there was gave way to something else. Call it inside the write that does that. */
export const publishReplaced = (telling: Telling): void => publish(telling, 'replaced', '', {})
