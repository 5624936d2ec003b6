import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import { builtIn, type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { timestamp } from '../../domain/clock.ts'
import { publishInventory } from '../../domain/events.ts'
import { checkDraftLimit, insertVatoms } from '../../domain/vatoms/emission.ts'
import { builtInOf, rewrite } from '../../domain/vatoms/properties.ts'
import { nowhereOnMap, resolvedOf } from '../../domain/vatoms/vatom.ts'
import type { VariationRow } from '../../store/variations.ts'
import { root, type VatomRow } from '../../store/vatoms/vatoms.ts'
import { notificationBy } from '../notifications.ts'
import { unavailable } from '../permissions.ts'
import type { Reactor, Run } from '../reactor.ts'
import { holdForClaim, recipientOf } from '../recipient.ts'
import { publishChanged } from '../vatom-change.ts'

/** The owner shares a copy of a vAtom of a cloneable template; the vAtom's cloning score grows. Spec 2.2. */
export const clone: Reactor = {
  forOwner: true,
  *act(run) {
    const { scope, name, vatom } = run
    const variation = cloneableVariation(run)
    const recipient = recipientOf(run)
    const { id: to, key } = recipient
    if (to === scope.user.id) throw errorAt(key, 'cloneToOneself', 'you cannot give a clone to yourself')
    checkDraftLimit(scope, variation, 1, { path: 'this.id' })
    const copy = insertCopy(run, variation, to)
    yield* holdForClaim(run, recipient, copy)
    scope.store.variations.countClone(variation.name)
    rewrite(scope, vatom, { type: grown(vatom, variation.cloning_gain) })
    publishChanged(run)
    publishInventory(scope, name, scope.user.id, copy)
    return { output: { ids: [copy.id] }, notification: notificationBy(scope.user, 'shared with you a', copy, to) }
  },
}

/** The variation of a vAtom that may be cloned once more. */
function cloneableVariation({ scope: { store }, vatom }: Run): VariationRow {
  const variation = store.variations.byName(vatom.template_variation)
  if (!variation || store.templates.byName(vatom.template)?.cloneable !== 1)
    throw unavailable(`the template ${vatom.template} is not cloneable`)
  const { name, max_clones: most, num_clones: count } = variation
  if (most !== null && count >= most)
    throw errorAt('this.id', 'cloneLimit', `${name} already has ${count} clones, the most it can have`)
  return variation
}

/** What a clone changes in the vAtom that it is made of. The score is rounded: a sum of binary fractions is not exact. */
function grown(vatom: VatomRow, gain: number): Section {
  const { num_direct_clones, cloning_score } = builtInOf(vatom)
  return {
    num_direct_clones: Number(num_direct_clones) + 1,
    cloning_score: Number((Number(cloning_score) + gain).toPrecision(12)),
  }
}

/** Stores the copy, which is in no folder; what is in a folder is not copied. */
function insertCopy({ scope, vatom }: Run, variation: VariationRow, owner: string): VatomRow {
  const id = scope.store.random.uuid()
  const { id: _, ...record } = copied(scope.now, vatom, {
    owner,
    transferred_by: scope.user.id,
    redeemable: isRedeemable(variation),
  })
  insertVatoms(scope, [id], record, false)
  const copy = scope.store.vatoms.byId(id)
  if (!copy) throw new ApiError('internal', `the clone ${id} does not exist`)
  return copy
}

/** Whether vAtoms of a variation are redeemable until they are redeemed. */
const isRedeemable = (variation: VariationRow) => builtIn(resolvedOf(variation)).redeemable === true

function copied(at: Date, vatom: VatomRow, own: Section): Section {
  const now = timestamp(at)
  const record = sectionOf(JSON.parse(vatom.json))
  const type = builtIn(record)
  return {
    ...record,
    sync: 1,
    when_created: now,
    when_modified: now,
    when_added: now,
    [vatomTypeKey]: {
      ...type,
      ...own,
      parent_id: root,
      cloned_from: vatom.id,
      cloning_score: 0,
      num_direct_clones: 0,
      dropped: false,
      geo_pos: nowhereOnMap,
      ...(type.dropped === true && { visibility: { type: 'owner', value: '*' } }),
    },
  }
}
