import { isObject, isSame } from '../../contract/schema/path.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { placeForOthers } from '../store/positions.ts'
import type { VatomRow } from '../store/vatoms.ts'
import { publishInventory } from './arrival.ts'
import { type Point, publish, type Telling } from './tell.ts'

/**
 * Tells whom it concerns that an action changed a vAtom: both owners where it changed hands, else its owner; and the
 * maps of others where it was dropped or picked up. Call it inside the write that makes the change.
 */
export function publishChange(telling: Telling, action: string, before: VatomRow, after: VatomRow): void {
  if (before.owner === after.owner) publishState(telling, action, before, after)
  else publishInventory(telling, action, before.owner, after)
  publishMapChange(telling, action, before, after)
}

/** Tells the owner what changed in a vAtom. */
function publishState(telling: Telling, action: string, before: VatomRow, after: VatomRow): void {
  const record = recordOf(after)
  const { sync, when_modified } = record
  const new_object = { ...difference(recordOf(before), record), when_modified }
  const event_id = `state_${after.id}:${telling.now.toISOString()}`
  publish(telling, 'state_update', after.owner, {
    event_id,
    op: 'update',
    id: after.id,
    action_name: action,
    sync,
    new_object,
  })
}

const recordOf = ({ json }: VatomRow): Section => sectionOf(JSON.parse(json))

/** What is different in an object, as deep as objects go; lists stand whole, and what is gone is null. */
function difference(before: Section, after: Section): Section {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(
    keys.flatMap((key) => {
      const [was, is] = [before[key] ?? null, after[key] ?? null]
      if (isSame(was, is)) return []
      return [[key, isObject(was) && isObject(is) ? difference(was, is) : is]]
    }),
  )
}

/**
 * Tells those who look at a place that a vAtom is there now, or no longer; not whose it was there, who hears of it
 * otherwise. Call it inside the write that makes the change.
 */
export function publishMapChange(telling: Telling, action: string, before: VatomRow, after: VatomRow): void {
  const [was, is] = [placeForOthers(before), placeForOthers(after)]
  if (was?.lat === is?.lat && was?.lon === is?.lon) return
  const told = (op: 'add' | 'remove', place: Point, owner: string) => {
    const event = { event_id: `map_${after.id}`, op, vatom_id: after.id, action_name: action, ...place }
    publish(telling, 'map', owner, event, place)
  }
  if (was) told('remove', was, before.owner)
  if (is) told('add', is, after.owner)
}
