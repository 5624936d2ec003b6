import { errorAt } from '../../../contract/api/errors.ts'
import { checkOwner } from '../../domain/access.ts'
import { toldBy } from '../activity.ts'
import { checkPermission } from '../available.ts'
import { handOver } from '../change-set.ts'
import type { Reactor } from '../reactor.ts'
import { recipientOf } from '../recipient.ts'

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
