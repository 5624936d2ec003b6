import { errorAt } from '../../../contract/api/errors.ts'
import { listAt } from '../../../contract/schema/path.ts'
import { definedFolder, discoverContainer, packageContainer, type rootTypes } from '../../../contract/values.ts'
import { type ChildRule, childRule } from '../../../contract/vatom/child-policy.ts'
import { builtIn } from '../../../contract/vatom/complete.ts'
import type { Store } from '../../store/store.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { Place } from '../../store/vatoms/vatom-folders.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import { builtInOf } from './properties.ts'
import { resolvedOf, root } from './vatom.ts'

/** A place that vAtoms can be in, with what governs who may. */
export interface Folder extends Place {
  /** Its child_policy by variation; undefined where it has none and takes any. */
  readonly rules?: readonly ChildRule[]
}

/** The root. */
export const nowhere: Folder = { id: root, isPublic: false }

/** A vAtom as a folder. */
export function folderOf(vatom: VatomRow): Folder {
  const type = builtInOf(vatom)
  const place = { id: vatom.id, isPublic: vatom.public === 1 }
  return type.root_type === definedFolder ? { ...place, rules: listAt(type, 'child_policy').map(childRule) } : place
}

/** The folder a vAtom is in, or the root. */
export function folderAround(store: Store, vatom: VatomRow): Folder {
  const around = vatom.parent_id === root ? undefined : store.vatoms.byId(vatom.parent_id)
  return around ? folderOf(around) : nowhere
}

const holders: ReadonlySet<unknown> = new Set<(typeof rootTypes)[number]>([
  'vAtom::vAtomType::FolderContainerType',
  packageContainer,
  definedFolder,
])

/** Why nothing can be in a vAtom of a root type, or undefined. Spec 2.4. */
export function againstHolding(rootType: unknown): string | undefined {
  if (holders.has(rootType)) return undefined
  if (rootType === discoverContainer) return 'a discover container cannot contain vAtoms: it shows what its query finds'
  return `it is not a folder: its root_type is ${rootType}`
}

/** Refuses a root type that would leave what the vAtoms of a draft hold nowhere to be. Call it inside a write. */
export function checkStillHolds(store: Store, variation: VariationRow): void {
  const why = againstHolding(builtIn(resolvedOf(variation)).root_type)
  if (why && store.vatoms.anyHolding(variation.name))
    throw errorAt('vatom.vAtom::vAtomType.root_type', 'invalid', `vAtoms of ${variation.name} hold others: ${why}`)
}

/** Why a folder may not hold so many more, or fewer, vAtoms of a variation, or undefined. Spec 2.4. */
export function againstChange(store: Store, folder: Folder, variation: string, change: number): string | undefined {
  if (!folder.rules) return undefined
  const rule = folder.rules.find((one) => one.variation === variation)
  if (!rule) return change > 0 ? `the child_policy of the folder ${folder.id} does not name ${variation}` : undefined
  const { least, most } = rule.kept
  const count = store.vatoms.countIn(folder.id, variation) + change
  if (change > 0 && count > most) return `the folder ${folder.id} holds at most ${most} of ${variation}`
  if (change < 0 && count < least) return `the folder ${folder.id} must hold at least ${least} of ${variation}`
  return undefined
}
