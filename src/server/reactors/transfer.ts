import { errorAt } from '../../contract/errors.ts'
import { toldBy } from '../actions/activity.ts'
import { checkPermission } from '../actions/available.ts'
import { handOver } from '../actions/changes.ts'
import type { Reactor } from '../actions/reactor.ts'
import { recipientOf } from '../actions/recipient.ts'
import { checkOwner } from '../records/access.ts'

/** The owner gives a vAtom that is transferable, as is all that is in it, to somebody else. Spec 2.4. */
export const transfer: Reactor = {
  act: (run) => {
    const { scope, vatom } = run
    checkOwner(scope, vatom)
    for (const one of scope.store.vatoms.withContents(vatom.id)) checkPermission(one, 'transferable')
    const { id: to, key } = recipientOf(run)
    if (to === scope.user.id) throw errorAt(key, 'alreadyOwned', `the vAtom ${vatom.id} is yours already`)
    handOver(run, to, { transferred_by: scope.user.id })
    return { output: {}, told: toldBy(scope.user, 'sent you a', vatom, to) }
  },
}
