import { builtIn, type Section, sectionOf } from '../../contract/complete.ts'
import { at, isObject } from '../../contract/path.ts'
import type { Scope } from '../environment.ts'
import { trashUser } from '../store/vatom-life.ts'
import type { VatomRow } from '../store/vatoms.ts'

/** What telling needs. */
export type Telling = Pick<Scope, 'store' | 'now'>

/**
 * Tells whom it concerns that an action changed a vAtom: both owners where it changed hands, else its owner; and the
 * maps of others where it was dropped or picked up. Call it inside the write that makes the change.
 */
export function tellChange(telling: Telling, action: string, before: VatomRow, after: VatomRow): void {
  if (before.owner === after.owner) tellState(telling, action, before, after)
  else tellInventory(telling, action, before.owner, after)
  tellMap(telling, action, before, after)
}

/** Tells both owners that a vAtom came to its owner from another; `from` is empty for one that is new. */
export function tellInventory({ store, now }: Telling, action: string, from: string, vatom: VatomRow): void {
  const payload = JSON.stringify({
    event_id: `inv_${vatom.id}:${now.toISOString()}`,
    op: 'insert',
    id: vatom.id,
    new_owner: vatom.owner,
    old_owner: from,
    template_variation: vatom.template_variation,
    parent_id: vatom.parent_id,
    action_name: action,
  })
  for (const user of new Set([vatom.owner, from]))
    if (user !== '' && user !== trashUser)
      store.events.append({
        msg_type: 'inventory',
        user_id: user,
        lat: null,
        lon: null,
        payload,
        created: now.getTime(),
      })
}

/** Tells the owner what changed in a vAtom. */
function tellState({ store, now }: Telling, action: string, before: VatomRow, after: VatomRow): void {
  const record = sectionOf(JSON.parse(after.json))
  const payload = JSON.stringify({
    event_id: `state_${after.id}:${now.toISOString()}`,
    op: 'update',
    id: after.id,
    action_name: action,
    sync: record.sync,
    new_object: {
      ...difference(sectionOf(JSON.parse(before.json)), record),
      when_modified: record.when_modified,
    },
  })
  store.events.append({
    msg_type: 'state_update',
    user_id: after.owner,
    lat: null,
    lon: null,
    payload,
    created: now.getTime(),
  })
}

/** What is different in an object, as deep as objects go; lists stand whole, and what is gone is null. */
function difference(before: Section, after: Section): Section {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(
    keys.flatMap((key) => {
      const [was, is] = [before[key], after[key] ?? null]
      if (JSON.stringify(was ?? null) === JSON.stringify(is)) return []
      return [[key, isObject(was) && isObject(is) ? difference(was, is) : is]]
    }),
  )
}

/** Tells those who look at a place that a vAtom is there now, or no longer. */
function tellMap({ store, now }: Telling, action: string, before: VatomRow, after: VatomRow): void {
  const was = builtIn(sectionOf(JSON.parse(before.json)))
  const is = builtIn(sectionOf(JSON.parse(after.json)))
  if (was.dropped === is.dropped) return
  const [place, op] = is.dropped === true ? [is, 'add'] : [was, 'remove']
  const lon = Number(at(place, 'geo_pos', 'coordinates', 0))
  const lat = Number(at(place, 'geo_pos', 'coordinates', 1))
  const payload = { event_id: `map_${after.id}`, op, vatom_id: after.id, action_name: action, lat, lon }
  store.events.append({
    msg_type: 'map',
    user_id: after.owner,
    lat,
    lon,
    payload: JSON.stringify(payload),
    created: now.getTime(),
  })
}
