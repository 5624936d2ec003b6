import { timestamp } from '../../clock.ts'
import type { UserScope } from '../../environment.ts'
import { tellChange } from '../../events/change.ts'
import {
  againstChange,
  againstHolding,
  builtInOf,
  type Folder,
  folderAround,
  folderOf,
  nowhere,
} from '../../records/folders.ts'
import { root } from '../../records/vatom.ts'
import type { Handler } from '../handlers.ts'

/**
 * Moves vAtoms of the caller's into a folder of theirs or to the root, one after the other, each that may be moved;
 * the others are told why not. Spec 2.4.
 */
export const updateVatoms: Handler<'updateVatoms'> = (scope, { body: { ids, parent_id } }) =>
  scope.store.write(() => {
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

/** Where the vAtoms are to go, or why nothing of the caller's can go there. */
type Target = { readonly folder: Folder; readonly above: ReadonlySet<string> } | { readonly why: string }

function targetOf({ store, user }: UserScope, id: string): Target {
  if (id === root) return { folder: nowhere, above: new Set() }
  const vatom = store.vatoms.byId(id)
  if (!vatom) return { why: `no vAtom has the id ${id}, into which it was to be put` }
  if (vatom.owner !== user.id) return { why: `the vAtom ${id}, into which it was to be put, is not yours` }
  const why = againstHolding(builtInOf(vatom).root_type)
  // What is above the target stays as it is: nothing that is moved here is among it.
  return why
    ? { why: `it cannot be put into ${id}: ${why}` }
    : { folder: folderOf(vatom), above: new Set(store.vatoms.above(id)) }
}

/** Moves a vAtom that is not there yet, or answers why it cannot be moved. */
function moved({ store, user, now }: UserScope, id: string, target: Target): string | undefined {
  if ('why' in target) return target.why
  const { folder, above } = target
  const vatom = store.vatoms.byId(id)
  if (!vatom) return 'no vAtom has this id'
  if (vatom.owner !== user.id) return 'the vAtom is not yours'
  if (vatom.parent_id === folder.id) return undefined
  if (builtInOf(vatom).dropped === true) return 'the vAtom is dropped: pick it up first'
  if (above.has(id)) return 'a folder cannot be put into itself, nor into what is in it'
  const why =
    againstChange(store, folderAround(store, vatom), vatom.template_variation, -1) ??
    againstChange(store, folder, vatom.template_variation, 1)
  if (why !== undefined) return why
  store.vatoms.move([id], folder, timestamp(now))
  const after = store.vatoms.byId(id)
  if (after) tellChange({ store, now }, 'Update', vatom, after)
  return undefined
}
