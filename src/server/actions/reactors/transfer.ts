import { errorAt } from '../../../contract/api/errors.ts'
import { notificationBy } from '../notifications.ts'
import { checkPermission, unavailable } from '../permissions.ts'
import type { Reactor } from '../reactor.ts'
import { recipientOf, sendTo } from '../recipient.ts'
import { eachInside } from '../vatom-change.ts'

/** The owner gives a vAtom to another user; it and all its contents must be transferable. Spec 2.4. */
export const transfer: Reactor = {
  forOwner: true,
  *act(run) {
    const { scope, vatom } = run
    yield* eachInside(run, (one) => checkPermission(one, 'transferable'))
    const recipient = recipientOf(run)
    const { id: to, key } = recipient
    if (to === scope.user.id) throw errorAt(key, 'alreadyOwned', `the vAtom ${vatom.id} is already yours`)
    yield* sendTo(run, recipient)
    return { output: {}, notification: notificationBy(scope.user, 'sent you a', vatom, to) }
  },
}

/** Always refused: no template makes vAtoms tradeable. Spec 2.4. */
export const trade: Reactor = {
  forOwner: true,
  act: ({ vatom }) => {
    throw unavailable(`the vAtom ${vatom.id} is not tradeable`)
  },
}
