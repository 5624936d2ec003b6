import { ApiError, errorAt } from '../../contract/api/errors.ts'
import { notificationBy } from '../actions/notifications.ts'
import { carryOutLater, carryOutNow } from '../actions/perform-action.ts'
import { planOf } from '../actions/plan.ts'
import { change, checkMayLeave } from '../actions/vatom-change.ts'
import { checkOwn, ownVatom, visibleVatom } from '../domain/access.ts'
import { currentUser, writeAs } from '../domain/caller.ts'
import { timestamp } from '../domain/clock.ts'
import { publishChange } from '../domain/events.ts'
import { JsonText } from '../domain/json-text.ts'
import { deliverMessage } from '../domain/messages.ts'
import { emitted } from '../domain/vatoms/emission.ts'
import { vatomsPage } from '../domain/vatoms/found-vatoms.ts'
import { againstMove, type Target, targetOf } from '../domain/vatoms/moves.ts'
import { builtInOf } from '../domain/vatoms/properties.ts'
import { trashUser, type VatomRow } from '../store/vatoms.ts'
import type { Handler, UserScope } from './handler.ts'

/** Makes vAtoms of a variation in the caller's inventory; a defined folder with its children. Spec 1, 2.4. */
export const emit: Handler<'emit'> = async (scope, { body: { template_variation: name, num } }) => {
  const ids = await writeAs(scope, (scope) => {
    const variation = scope.store.variations.byName(name)
    if (!variation) throw errorAt('template_variation', 'missingReference', `no template variation is named ${name}`)
    checkOwn(scope, variation)
    return emitted(scope, variation, num, {
      action: 'Emit',
      paths: { variation: 'template_variation', num: 'num' },
    })
  })
  return { num_created: ids.length, num_errors: 0, ids }
}

/** A vAtom of the caller's, or one that everybody may find, signed in or not. */
export const getVatom: Handler<'getVatom'> = (scope, { id }) => new JsonText(visibleVatom(scope, id).json)

/** Those of some vAtoms that the caller may see, each once, in the order they are asked for. */
export const getVatoms: Handler<'getVatoms'> = (scope, { body }) => {
  const ids = [...new Set(body.ids)]
  return vatomsPage(scope, scope.store.inventory.named(ids, scope.user.id))
}

/**
 * Moves vAtoms of the caller's into a folder of theirs or to the root, one after the other, each that may be moved;
 * the others are told why not. Spec 2.4.
 */
export const updateVatoms: Handler<'updateVatoms'> = (scope, { body: { ids, parent_id } }) =>
  writeAs(scope, (scope) => {
    const target = targetOf(scope, parent_id)
    const told = [...new Set(ids)].map((id) => ({ id, why: moved(scope, id, target) }))
    const refused = told.flatMap(({ id, why }) => (why === undefined ? [] : [[id, why] as const]))
    const updated = told.filter(({ why }) => why === undefined).map(({ id }) => id)
    return {
      num_updated: updated.length,
      num_errors: refused.length,
      error_messages: Object.fromEntries(refused),
      ids: updated,
    }
  })

/** Moves a vAtom that is not there yet, or answers why it cannot be moved. */
function moved(scope: UserScope, id: string, target: Target): string | undefined {
  if ('why' in target) return target.why
  const { store, now } = scope
  const vatom = store.vatoms.byId(id)
  if (!vatom) return 'no vAtom has this id'
  if (vatom.parent_id === target.folder.id && vatom.owner === scope.user.id) return undefined
  const why = againstMove(scope, vatom, target)
  if (why !== undefined) return why
  store.vatoms.move([id], target.folder, timestamp(now))
  const after = store.vatoms.byId(id)
  if (after) publishChange(scope, 'Update', vatom, after)
  return undefined
}

/** Takes a vAtom of the caller's, with what is in it, out of everybody's reach. */
export const trashVatom: Handler<'trashVatom'> = async (scope, { body }) => {
  const id = body['this.id']
  await writeAs(scope, (scope) => {
    const vatom = ownVatom(scope, id)
    checkMayLeave(scope, vatom)
    change({ scope, name: 'Trash', vatom }, () => scope.store.vatoms.trash(id, timestamp(scope.now)))
  })
  return { success_message: `vAtom ${id} trashed.` }
}

/** Performs an action that is registered for a vAtom's template; what comes of it is its reactor's. */
export const performAction: Handler<'performAction'> = async (scope, { action, body }) => {
  const plan = planOf(scope, action, body)
  return { main: plan.action.settings.wait ? await carryOutNow(plan) : carryOutLater(plan) }
}

/** Tells the owner of a redeemable vAtom that a merchant asks them to redeem it. Spec 2.1. */
export const requestRedemption: Handler<'requestRedemption'> = async (scope, { body: { object_id } }) => {
  await scope.store.write(() => {
    const vatom = redeemableVatom(scope, object_id)
    const { to, from, text } = notificationBy(scope.user, 'asks you to redeem your', vatom, vatom.owner)
    deliverMessage(scope, {
      to,
      from,
      vatoms: [vatom.id],
      variations: [vatom.template_variation],
      text,
      action: 'Request Redemption',
    })
  })
  return { success_message: `The owner of vAtom ${object_id} was asked to redeem it.` }
}

/** A vAtom that the caller may ask for, or the declared refusal. */
function redeemableVatom(scope: UserScope, id: string): VatomRow {
  if (currentUser(scope).is_merchant !== 1) throw errorAt('', 'notMerchant', 'only a merchant asks for a redemption')
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom || vatom.owner === trashUser) throw new ApiError('unknownVatom', `no vAtom has the id ${id}`)
  if (vatom.owner === scope.user.id) throw errorAt('object_id', 'alreadyOwned', `the vAtom ${id} is yours already`)
  if (builtInOf(vatom).redeemable !== true)
    throw errorAt('object_id', 'notRedeemable', `the vAtom ${id} is not redeemable`)
  return vatom
}
