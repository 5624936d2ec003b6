import type { EventType } from '../../contract/api/socket.ts'
import { limits } from '../../contract/limits.ts'
import { at, isObject, isSame } from '../../contract/schema/path.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { type Position, placeForOthers } from '../store/vatoms/positions.ts'
import { memberOf, withoutSameEnd } from '../store/vatoms/record-text.ts'
import { trashUser, type VatomRow } from '../store/vatoms/vatoms.ts'
import type { Moment } from './caller.ts'
import { JsonText, recordText } from './json-text.ts'
import { onceForBoth, writtenRecord } from './vatoms/alike-sections.ts'

/** Kinds of events; `arrivals` are sent as an `inventory` message for each vAtom, `replaced` makes clients reconnect. */
type Kind = EventType | 'arrivals' | 'replaced'

/** Stores an event for the users who are connected. Call it inside a write. */
export const publish = (
  { store, now }: Moment,
  msg_type: Kind,
  user_id: string,
  payload: object | JsonText,
  at?: Position,
): void =>
  store.events.append({
    msg_type,
    user_id,
    lat: at?.lat ?? null,
    lon: at?.lon ?? null,
    payload: payload instanceof JsonText ? payload.text : JSON.stringify(payload),
    created: now.getTime(),
  })

/** Publishes that all data was replaced. Call it inside the write that replaces it. */
export const publishReplaced = (moment: Moment): void => publish(moment, 'replaced', '', {})

/** vAtoms that one owner received together; `from` is the owner before, empty for new vAtoms. */
export interface Arrival {
  readonly ids: readonly string[]
  readonly owner: string
  readonly from: string
  readonly template_variation: string
  readonly parent_id: string
}

/** Publishes to both owners that vAtoms changed hands: one row for many vAtoms, each of which becomes a message. */
export function publishArrival(moment: Moment, action: string, arrival: Arrival): void {
  const time = moment.now.toISOString()
  const common = commonOf(action, arrival)
  for (let first = 0; first < arrival.ids.length; first += limits.arrivals)
    publishToBoth(moment, 'arrivals', arrival, { ids: arrival.ids.slice(first, first + limits.arrivals), time, common })
}

/** Publishes to both owners that a vAtom changed hands; `from` is the owner before, empty for a new vAtom. */
export function publishInventory(moment: Moment, action: string, from: string, vatom: VatomRow): void {
  const arrival = { ...vatom, from }
  publishToBoth(moment, 'inventory', arrival, message(vatom.id, moment.now.toISOString(), commonOf(action, arrival)))
}

/** The inventory payloads that a row of arrivals stands for, in the order of the vAtoms. */
export function arrivalPayloads(payload: string): string[] {
  const { ids, time, common } = sectionOf(JSON.parse(payload))
  return (Array.isArray(ids) ? ids : []).map((id) => JSON.stringify(message(id, String(time), sectionOf(common))))
}

type Owners = Pick<Arrival, 'owner' | 'from'>

function publishToBoth(moment: Moment, kind: 'arrivals' | 'inventory', { owner, from }: Owners, payload: object): void {
  for (const user of new Set([owner, from])) if (user !== '' && user !== trashUser) publish(moment, kind, user, payload)
}

const commonOf = (action: string, { owner, from, template_variation, parent_id }: Omit<Arrival, 'ids'>): Section => ({
  new_owner: owner,
  old_owner: from,
  template_variation,
  parent_id,
  action_name: action,
})

const message = (id: string, time: string, common: Section): Section => ({
  event_id: `inv_${id}:${time}`,
  op: 'insert',
  id,
  ...common,
})

/**
 * Publishes that an action changed a vAtom: to both owners if it changed hands, else to its owner; and to the users who
 * watch its place if it was dropped or picked up. Call it inside the write that makes the change.
 */
export function publishChange(moment: Moment, action: string, before: VatomRow, after: VatomRow): void {
  if (before.owner === after.owner)
    publishState(moment, action, after, changedIn(...withoutSameEnd(before.json, after.json)))
  else publishInventory(moment, action, before.owner, after)
  publishMapChange(moment, action, before, after)
}

/** Publishes to its owner what changed in a vAtom. Call it inside the write that makes the change. */
export function publishState(
  moment: Moment,
  action: string,
  { id, owner, json }: Pick<VatomRow, 'id' | 'owner' | 'json'>,
  changed: Section | undefined,
): void {
  const [sync, when_modified] = [memberOf(json, 'sync'), memberOf(json, 'when_modified')]
  const new_object = new JsonText(writtenRecord({ ...changed, when_modified }))
  const event_id = `state_${id}:${moment.now.toISOString()}`
  const payload = { event_id, op: 'update', id, action_name: action, sync, new_object }
  publish(moment, 'state_update', owner, new JsonText(recordText(payload)))
}

/** What changed from a value to another, or undefined if nothing did: of objects their changed properties. */
function difference(was: unknown, is: unknown): unknown {
  if (was === is) return undefined
  if (isObject(was) && isObject(is)) return changedIn(was, is)
  return isSame(was, is) ? undefined : is
}

/** The changed properties of an object, at any depth; a changed list is whole, and a removed property is null. */
function changedIn(before: Section, after: Section, compare: typeof difference = difference): Section | undefined {
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key))
  const changes = [...Object.keys(before), ...added].flatMap((key) => {
    const change = compare(at(before, key) ?? null, at(after, key) ?? null)
    return change === undefined ? [] : [[key, change] as const]
  })
  return changes.length > 0 ? Object.fromEntries(changes) : undefined
}

const changedOnce = onceForBoth((was: Section, is: Section) => changedIn(was, is))

/** The same in a record, of which each section is compared once with the same other one. */
export const changedRecord = (before: Section, after: Section): Section | undefined =>
  changedIn(before, after, (was, is) => (isObject(was) && isObject(is) ? changedOnce(was, is) : difference(was, is)))

/**
 * Publishes to the users who watch a place that a vAtom was dropped or picked up there; not to its owner, who receives
 * other events. Call it inside the write that makes the change.
 */
export function publishMapChange(moment: Moment, action: string, before: VatomRow, after: VatomRow): void {
  const [was, is] = [placeForOthers(before), placeForOthers(after)]
  if (was?.lat === is?.lat && was?.lon === is?.lon) return
  const publishAt = (op: 'add' | 'remove', place: Position, owner: string) => {
    const event = { event_id: `map_${after.id}`, op, vatom_id: after.id, action_name: action, ...place }
    publish(moment, 'map', owner, event, place)
  }
  if (was) publishAt('remove', was, before.owner)
  if (is) publishAt('add', is, after.owner)
}
