import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { notificationBy, send } from '../actions/notifications.ts'
import { carryOutLater, carryOutNow } from '../actions/perform-action.ts'
import { checkRedeemable } from '../actions/permissions.ts'
import { planOf } from '../actions/planned-action.ts'
import { currentUser } from '../domain/caller.ts'
import { balanceOf } from '../domain/records/charges.ts'
import { trashUser, type VatomRow } from '../store/vatoms/vatoms.ts'
import type { Handler, UserScope } from './handler.ts'

/** Performs an action that is registered for a vAtom's template, or `Balance` on the caller's wallet. */
export const performAction: Handler<'performAction'> = async (scope, { action, body }) => {
  if (action === 'Balance' && body['this.id'] === scope.user.id) return { main: { output: balanceText(scope) } }
  const plan = planOf(scope, action, body)
  const carryOut = plan.action.settings.wait ? carryOutNow : carryOutLater
  return { main: await carryOut(plan) }
}

/** The balance of the caller's publisher as the output of an action; 0 where they administer none. */
function balanceText(scope: UserScope): string {
  const { is_admin, pub_fqdn } = scope.user
  const units = is_admin === 1 ? balanceOf(scope.store, scope.environment, pub_fqdn) : 0
  return JSON.stringify({ 'coin.numCoins': units })
}

/** Sends the owner of a redeemable vAtom a message that a merchant asks them to redeem it. Spec 2.1. */
export const requestRedemption: Handler<'requestRedemption'> = async (scope, { body: { object_id } }) => {
  await scope.store.write(() => {
    const vatom = redeemableVatom(scope, object_id)
    const asked = notificationBy(scope.user, 'asks you to redeem your', vatom, vatom.owner)
    send(scope, asked, 'Request Redemption')
  })
  return { success_message: `The owner of vAtom ${object_id} was asked to redeem it.` }
}

/** A vAtom that the caller may ask to redeem, or the declared error. */
function redeemableVatom(scope: UserScope, id: string): VatomRow {
  if (currentUser(scope).is_merchant !== 1) throw errorAt('', 'notMerchant', 'only a merchant can ask for a redemption')
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom || vatom.owner === trashUser) throw new ApiError('unknownVatom', `no vAtom has the id ${id}`)
  if (vatom.owner === scope.user.id) throw errorAt('object_id', 'alreadyOwned', `the vAtom ${id} is already yours`)
  checkRedeemable(scope, vatom, 'object_id')
  return vatom
}
