import { sectionOf } from '../../contract/complete.ts'
import { trashUser } from '../store/vatoms.ts'
import { type Telling, tell } from './tell.ts'

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
export function tellArrival(telling: Telling, action: string, arrival: Arrival): void {
  const { ids, owner, from, template_variation, parent_id } = arrival
  const common = { new_owner: owner, old_owner: from, template_variation, parent_id, action_name: action }
  const time = telling.now.toISOString()
  for (let first = 0; first < ids.length; first += most)
    for (const user of new Set([owner, from]))
      if (user !== '' && user !== trashUser)
        tell(telling, 'inventory', user, { ids: ids.slice(first, first + most), time, common })
}

/** The payloads that a row of arrivals stands for, in the order of the vAtoms. */
export function arrivalPayloads(payload: string): string[] {
  const { ids, time, common } = sectionOf(JSON.parse(payload))
  return (Array.isArray(ids) ? ids : []).map((id) =>
    JSON.stringify({ event_id: `inv_${id}:${time}`, op: 'insert', id, ...sectionOf(common) }),
  )
}
