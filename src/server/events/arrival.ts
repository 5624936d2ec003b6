import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import type { VatomRow } from '../store/vatoms.ts'
import { trashUser } from '../store/vatoms.ts'
import { publish, type Telling } from './tell.ts'

/** vAtoms that came to an owner together; `from` is empty for new ones. */
export interface Arrival {
  readonly ids: readonly string[]
  readonly owner: string
  readonly from: string
  readonly template_variation: string
  readonly parent_id: string
}

/** vAtoms of one row, so that what is read at once stays small. */
const most = 100

/** Tells both owners that vAtoms came to one from the other: a row for many, each vAtom a message. */
export function publishArrival(telling: Telling, action: string, arrival: Arrival): void {
  const time = telling.now.toISOString()
  const common = commonOf(action, arrival)
  for (let first = 0; first < arrival.ids.length; first += most)
    publishToBoth(telling, 'arrivals', arrival, { ids: arrival.ids.slice(first, first + most), time, common })
}

/** Tells both owners that a vAtom came to its owner from another; `from` is empty for one that is new. */
export function publishInventory(telling: Telling, action: string, from: string, vatom: VatomRow): void {
  const arrival = { ...vatom, from }
  publishToBoth(telling, 'inventory', arrival, message(vatom.id, telling.now.toISOString(), commonOf(action, arrival)))
}

/** The inventory payloads that a row of arrivals stands for, in the order of the vAtoms. */
export function arrivalPayloads(payload: string): string[] {
  const { ids, time, common } = sectionOf(JSON.parse(payload))
  return (Array.isArray(ids) ? ids : []).map((id) => JSON.stringify(message(id, String(time), sectionOf(common))))
}

type Owners = Pick<Arrival, 'owner' | 'from'>

function publishToBoth(
  telling: Telling,
  kind: 'arrivals' | 'inventory',
  { owner, from }: Owners,
  payload: object,
): void {
  for (const user of new Set([owner, from]))
    if (user !== '' && user !== trashUser) publish(telling, kind, user, payload)
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
