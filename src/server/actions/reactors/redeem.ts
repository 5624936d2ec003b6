import { errorAt } from '../../../contract/api/errors.ts'
import { instant } from '../../../contract/rules/vatom-rules.ts'
import { at } from '../../../contract/schema/path.ts'
import { checkOwner } from '../../domain/access.ts'
import { seconds } from '../../domain/clock.ts'
import { builtInOf } from '../../domain/vatoms/properties.ts'
import type { Steps } from '../../store/slices.ts'
import { notificationBy } from '../notifications.ts'
import { checkRedeemable } from '../permissions.ts'
import type { Outcome, Reactor, Run } from '../reactor.ts'
import { namedRecipient, type Recipient, sendTo } from '../recipient.ts'
import { handOver, trash } from '../vatom-change.ts'

/**
 * The owner gives a redeemable vAtom to a merchant, or to the platform if they name none; or a merchant takes one of
 * another user's. That is done once: it is not redeemable then. Spec 2.1, 2.4.
 */
export const redeem: Reactor = {
  reaches: ({ user }) => user.is_merchant === 1,
  *act(run) {
    const { scope, vatom } = run
    if (scope.user.is_merchant !== 1) checkOwner(scope, vatom)
    const outcome = yield* vatom.owner === scope.user.id ? handIn(run) : takeIn(run)
    scope.store.vatoms.redeem({ id: vatom.id, redeemed: seconds(scope.now) })
    return outcome
  },
}

function checkRedeemableNow({ scope, vatom }: Run): void {
  const { now } = scope
  checkRedeemable(scope, vatom, 'this.id')
  const price = at(builtInOf(vatom), 'commerce', 'pricing', 'value')
  const from = instant(at(price, 'valid_from'), 'T00:00:00Z')
  const through = instant(at(price, 'valid_through'), 'T23:59:59Z')
  if (from !== undefined && now.getTime() < from)
    throw errorAt('this.id', 'redeemPeriod', `the vAtom cannot be redeemed before ${at(price, 'valid_from')}`)
  if (through !== undefined && now.getTime() > through)
    throw errorAt('this.id', 'redeemPeriod', `the vAtom could be redeemed only until ${at(price, 'valid_through')}`)
}

/** What a merchant sees of a vAtom that was redeemed. */
const used = { redeemable: false } as const

/** Redeemed by its owner. */
function* handIn(run: Run): Steps<Outcome> {
  const { scope, vatom } = run
  const recipient = namedRecipient(run)
  if (recipient) checkMerchant(run, recipient)
  checkRedeemableNow(run)
  if (!recipient) {
    yield* trash(run)
    return { output: {} }
  }
  yield* sendTo(run, recipient, used)
  return { output: {}, notification: notificationBy(scope.user, 'redeemed with you a', vatom, recipient.id) }
}

function checkMerchant({ scope, vatom }: Run, { id: merchant, key }: Recipient): void {
  if (scope.store.users.byId(merchant)?.is_merchant !== 1)
    throw errorAt(key, 'notMerchant', 'the recipient is not a merchant: only merchants redeem vAtoms')
  if (merchant === scope.user.id) throw errorAt(key, 'alreadyOwned', `the vAtom ${vatom.id} is already yours`)
}

/** Redeemed by a merchant who is not its owner. */
function* takeIn(run: Run): Steps<Outcome> {
  const { scope, vatom } = run
  checkRedeemableNow(run)
  yield* handOver(run, scope.user.id, { transferred_by: vatom.owner, ...used })
  return { output: {}, notification: notificationBy(scope.user, 'redeemed your', vatom, vatom.owner) }
}
