import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import type { ByUser } from '../caller.ts'
import { againstChange, againstHolding, type Folder, folderAround, folderOf, nowhere } from './folders.ts'
import { builtInOf } from './properties.ts'
import { root } from './vatom.ts'

/** Where vAtoms are to go, and what is above that. */
export interface Destination {
  readonly folder: Folder
  readonly above: ReadonlySet<string>
}

/** A destination, or why nothing of the caller's can go there. */
export type Target = Destination | { readonly why: string }

/** The root, or a folder of the caller's. Spec 2.4. */
export function targetOf({ store, user }: ByUser, id: string): Target {
  if (id === root) return { folder: nowhere, above: new Set() }
  const vatom = store.vatoms.byId(id)
  if (!vatom) return { why: `the target folder does not exist: no vAtom has the id ${id}` }
  if (vatom.owner !== user.id) return { why: `the target folder ${id} is not yours` }
  const why = againstHolding(builtInOf(vatom).root_type)
  // What is above the target stays as it is: nothing that is moved here is among it.
  return why
    ? { why: `it cannot be put into ${id}: ${why}` }
    : { folder: folderOf(vatom), above: new Set(store.vatoms.above(id)) }
}

/** Why the caller may not move a vAtom to where it is not yet, or undefined. Spec 2.4. */
export function againstMove(
  { store, user }: ByUser,
  vatom: VatomRow,
  { folder, above }: Destination,
): string | undefined {
  if (vatom.owner !== user.id) return 'the vAtom is not yours'
  if (builtInOf(vatom).dropped === true) return 'the vAtom is dropped: pick it up first'
  if (above.has(vatom.id)) return 'a folder cannot be put into itself or into its contents'
  return (
    againstChange(store, folderAround(store, vatom), vatom.template_variation, -1) ??
    againstChange(store, folder, vatom.template_variation, 1)
  )
}
