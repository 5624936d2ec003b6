import { ApiError } from '../../contract/errors.ts'
import type { UserScope } from '../environment.ts'
import type { VatomRow } from '../store/vatoms.ts'

/** A vAtom that the caller may see: their own, or one that everybody may find; else the declared refusal. Spec 4.4. */
export function visibleVatom(scope: UserScope, id: string): VatomRow {
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom) throw new ApiError('unknownVatom', `no vAtom has the id ${id}`)
  if (!maySee(scope, vatom)) throw new ApiError('foreignVatom', `the vAtom ${id} is neither yours nor public`)
  return vatom
}

/** Whether the caller may see a vAtom. */
export const maySee = ({ user }: UserScope, vatom: VatomRow): boolean => vatom.owner === user.id || vatom.public === 1

/** Refuses to do to another's vAtom what only its owner may. */
export function checkOwner({ user }: UserScope, vatom: VatomRow): void {
  if (vatom.owner !== user.id) throw new ApiError('foreignVatom', `the vAtom ${vatom.id} is not yours`)
}
