import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { discoverContainer, folderTypes } from '../../../contract/values.ts'
import { type ChildRule, childRules } from '../../../contract/vatom/child-policy.ts'
import { builtIn } from '../../../contract/vatom/complete.ts'
import type { Store } from '../../store/store.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { Place } from '../../store/vatoms/vatom-folders.ts'
import { root, type VatomRow } from '../../store/vatoms/vatoms.ts'
import type { ByUser } from '../caller.ts'
import { againstPutting } from '../users/held-vatoms.ts'
import { builtInOf } from './properties.ts'
import { resolvedOf } from './vatom.ts'

/** A place that vAtoms can be in, with the rules for what may be in it. */
export interface Folder extends Place {
  /** Its `child_policy`; without one it takes any vAtom. */
  readonly rules?: readonly ChildRule[]
}

/** The root. */
export const nowhere: Folder = { id: root, isPublic: false }

/** A vAtom as a folder. */
function folderOf(vatom: VatomRow): Folder {
  const rules = childRules(builtInOf(vatom))
  return { id: vatom.id, isPublic: vatom.public === 1, ...(rules && { rules }) }
}

/** The folder a vAtom is in, or the root. */
export function folderAround(store: Store, vatom: VatomRow): Folder {
  const around = vatom.parent_id === root ? undefined : store.vatoms.byId(vatom.parent_id)
  return around ? folderOf(around) : nowhere
}

/** Why nothing can be in a vAtom of a root type, or undefined. Spec 2.4. */
export function againstHolding(rootType: unknown): string | undefined {
  if (folderTypes.has(rootType)) return undefined
  if (rootType === discoverContainer) return 'a discover container cannot contain vAtoms: it shows what its query finds'
  return `it is not a folder: its root_type is ${rootType}`
}

/** Refuses a root type that is no folder for a draft whose vAtoms already contain others. Call it inside a write. */
export function checkStillHolds(store: Store, variation: VariationRow): void {
  const why = againstHolding(builtIn(resolvedOf(variation)).root_type)
  if (why && store.vatoms.anyHolding(variation.name))
    throw errorAt(
      'vatom.vAtom::vAtomType.root_type',
      'invalid',
      `vAtoms of ${variation.name} contain others, which their owners have to take out first, such as by Uncombine; ${why}`,
    )
}

/** Says how many vAtoms of a variation are in a folder. */
type Counting = Pick<Store['vatoms'], 'countIn'>

/** The folders of a change: each is read once, and what is in it is counted once, and then with what moves. */
class FoldersOfChange implements Counting {
  readonly #store: Store
  readonly #folders = new Map<string, Folder>()
  readonly #counts = new Map<string, number>()

  constructor(store: Store) {
    this.#store = store
  }

  /** The folder that a vAtom is in, or the root. */
  around(vatom: VatomRow): Folder {
    const folder = this.#folders.get(vatom.parent_id) ?? folderAround(this.#store, vatom)
    this.#folders.set(vatom.parent_id, folder)
    return folder
  }

  readonly countIn = (folder: string, variation: string): number => {
    const key = `${folder} ${variation}`
    const count = this.#counts.get(key) ?? this.#store.vatoms.countIn(folder, variation)
    this.#counts.set(key, count)
    return count
  }

  /** To be called when a vAtom was moved to a folder. */
  moved({ parent_id, template_variation }: VatomRow, to: string): void {
    this.#add(parent_id, template_variation, -1)
    this.#add(to, template_variation, 1)
  }

  #add(folder: string, variation: string, change: number): void {
    const key = `${folder} ${variation}`
    const count = this.#counts.get(key)
    if (count !== undefined) this.#counts.set(key, count + change)
  }
}

/** Why the number of vAtoms of a variation in a folder may not change by `change`, or undefined. Spec 2.4. */
export function againstChange(
  counting: Counting,
  folder: Folder,
  variation: string,
  change: number,
): string | undefined {
  if (!folder.rules) return undefined
  const rule = folder.rules.find((one) => one.variation === variation)
  if (!rule) return change > 0 ? `the child_policy of the folder ${folder.id} does not name ${variation}` : undefined
  const { least, most } = rule.kept
  if (change > 0 ? most === Number.POSITIVE_INFINITY : least <= 0) return undefined
  const count = counting.countIn(folder.id, variation) + change
  if (change > 0 && count > most) return `the folder ${folder.id} holds at most ${most} of ${variation}`
  if (change < 0 && count < least) return `the folder ${folder.id} must hold at least ${least} of ${variation}`
  return undefined
}

/** Where vAtoms are moved to. `above` has the ids of the folder and of the folders around it. */
export interface Destination {
  readonly folder: Folder
  readonly above: ReadonlySet<string>
  /** This folder and those that vAtoms are taken out of, with what is in them as vAtoms move. */
  readonly folders: FoldersOfChange
}

/** A folder around which no vAtom is that is moved there. */
export const outside = (store: Store, folder: Folder): Destination => ({
  folder,
  above: new Set(),
  folders: new FoldersOfChange(store),
})

/** A destination, or why the caller cannot move vAtoms there. */
export type Target = Destination | { readonly why: string }

/** The root, or a folder of the caller's. Spec 2.4. */
export function targetOf(scope: ByUser, id: string): Target {
  const { store, user } = scope
  if (id === root) return outside(store, nowhere)
  const vatom = store.vatoms.byId(id)
  if (!vatom) return { why: `the target folder does not exist: no vAtom has the id ${id}` }
  if (vatom.owner !== user.id) return { why: `the target folder ${id} is not yours` }
  const why = againstHolding(builtInOf(vatom).root_type) ?? againstPutting(scope, vatom)
  if (why) return { why: `it cannot be put into ${id}: ${why}` }
  // With the folder itself, and the root.
  const above = store.vatoms.above(id, limits.foldersAround + 3)
  return above.length <= limits.foldersAround + 2
    ? { ...outside(store, folderOf(vatom)), above: new Set(above) }
    : { why: `the target folder is inside more than ${limits.foldersAround} others` }
}

/** Why the caller may not move a vAtom to another folder, or undefined. Spec 2.4. */
export function againstMove(
  scope: ByUser,
  vatom: VatomRow,
  { folder, above, folders }: Destination,
): string | undefined {
  if (vatom.owner !== scope.user.id) return 'the vAtom is not yours'
  if (builtInOf(vatom).dropped === true) return 'the vAtom is dropped: pick it up first'
  if (above.has(vatom.id)) return 'a folder cannot be put into itself or into its contents'
  return (
    (folder.id === root ? undefined : againstPutting(scope, vatom)) ??
    againstChange(folders, folders.around(vatom), vatom.template_variation, -1) ??
    againstChange(folders, folder, vatom.template_variation, 1)
  )
}
