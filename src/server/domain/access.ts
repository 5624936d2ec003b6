import { ApiError } from '../../contract/api/errors.ts'
import type { AnybodyScope, UserScope } from '../operations/handler.ts'
import type { VatomRow } from '../store/vatoms.ts'

/**
 * A vAtom that the caller may see: their own, or one that everybody may find; else the declared refusal, the same for
 * all vAtoms to whoever is not signed in. Spec 4.4.
 */
export function visibleVatom(scope: AnybodyScope, id: string): VatomRow {
  const vatom = scope.store.vatoms.byId(id)
  if (vatom && maySee(scope, vatom)) return vatom
  if (!scope.user) throw new ApiError('unauthorized')
  throw vatom ? new ApiError('foreignVatom', `the vAtom ${id} is neither yours nor public`) : unknownVatom(id)
}

/** Whether the caller may see a vAtom. */
export const maySee = ({ user }: AnybodyScope, vatom: Pick<VatomRow, 'owner' | 'public'>): boolean =>
  vatom.public === 1 || vatom.owner === user?.id

/** A vAtom of the caller's, or the declared refusal. */
export function ownVatom(scope: UserScope, id: string): VatomRow {
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom) throw unknownVatom(id)
  checkOwner(scope, vatom)
  return vatom
}

/** Refuses to do to another's vAtom what only its owner may. */
export function checkOwner({ user }: UserScope, vatom: VatomRow): void {
  if (vatom.owner !== user.id) throw new ApiError('foreignVatom', `the vAtom ${vatom.id} is not yours`)
}

const unknownVatom = (id: string) => new ApiError('unknownVatom', `no vAtom has the id ${id}`)
