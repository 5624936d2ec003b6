import { type ApiError, errorAt } from '../../contract/api/errors.ts'
import type { rootTypes } from '../../contract/values.ts'
import { maySee } from '../domain/access.ts'
import { againstChange, folderAround } from '../domain/vatoms/folders.ts'
import { builtInOf } from '../domain/vatoms/properties.ts'
import { memberOf } from '../store/vatoms/record-text.ts'
import type { VatomRow } from '../store/vatoms/vatoms.ts'
import type { Run } from './reactor.ts'

/** A built-in property that permits something. Spec 2.4. */
type Permission = 'transferable' | 'acquirable'

/** Refuses what a vAtom's property does not permit. */
export function checkPermission(vatom: VatomRow, permission: Permission): void {
  if (builtInOf(vatom)[permission] !== true) throw unavailable(`the vAtom ${vatom.id} is not ${permission}`)
}

/** Refuses a vAtom of another root type; `why` begins the message. */
export function checkRootType(vatom: VatomRow, wanted: (typeof rootTypes)[number], why: string): void {
  const { root_type } = builtInOf(vatom)
  if (root_type !== wanted) throw errorAt('this.id', 'invalid', `${why}: the root_type of ${vatom.id} is ${root_type}`)
}

/** Refuses to act on a vAtom that is disabled, or bound in a contract. */
export function checkUsable(vatom: VatomRow): void {
  const { disabled, in_contract } = builtInOf(vatom)
  if (disabled === true) throw unavailable(`the vAtom ${vatom.id} is disabled`)
  if (in_contract === true) throw unavailable(`the vAtom ${vatom.id} is bound in a contract`)
}

/** Refuses a vAtom that is not redeemable, or was redeemed, which is done once; `path` is where the request names it. */
export function checkRedeemable({ store }: Pick<Run['scope'], 'store'>, vatom: VatomRow, path: string): void {
  const { id } = vatom
  if (store.vatoms.isRedeemed(id)) throw errorAt(path, 'notRedeemable', `the vAtom ${id} was already redeemed`)
  if (builtInOf(vatom).redeemable !== true) throw errorAt(path, 'notRedeemable', `the vAtom ${id} is not redeemable`)
}

/**
 * Refuses others than its owner who would take a vAtom, for one of a draft: that itself, or one that is in it, which is
 * named only to callers who see it.
 */
export function checkPublished(scope: Run['scope'], taken: VatomRow, one: VatomRow): void {
  if (!isOfDraft(one.json)) return
  if (one.id === taken.id)
    throw unavailable(`the vAtom ${one.id} belongs to a draft: others cannot take it until its variation is published`)
  const what = maySee(scope, one) ? `the vAtom ${one.id}` : 'something'
  throw unavailable(
    `${what} in ${taken.id} belongs to a draft: others cannot take the folder until the variation of that is published, or its owner moves it out of the folder`,
  )
}

/** Looks for the text first: few other records have it. */
const isOfDraft = (json: string): boolean =>
  json.includes('"unpublished":true') && memberOf(json, 'unpublished') === true

export const unavailable = (message: string): ApiError => errorAt('this.id', 'vatomUnavailable', message)

/** Refuses to take a vAtom out of a folder whose rules keep it there. Spec 2.4. */
export function checkMayLeave({ store }: Run['scope'], vatom: VatomRow): void {
  const why = againstChange(store.vatoms, folderAround(store, vatom), vatom.template_variation, -1)
  if (why) throw errorAt('this.id', 'invalid', why)
}
