import { limits } from '../../../contract/limits.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { Portions, Steps } from '../../store/slices.ts'
import { bit } from '../../store/table.ts'
import type { VariationRow } from '../../store/variations.ts'
import { trashUser, type VatomRow } from '../../store/vatoms/vatoms.ts'
import type { ByPublisher, Moment, Warned } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { publishChange } from '../events.ts'
import { checkContents } from '../vatoms/contents.ts'
import { nowhere } from '../vatoms/folders.ts'
import { warnOfParents } from './children.ts'

/** What the deletion of a variation took along. */
interface Removed {
  /** How many vAtoms their owners lose. */
  readonly vatoms: number
  /** How many more may move to the root with what else is deleted. */
  readonly left: number
}

/**
 * Deletes a draft variation with its vAtoms, and publishes that to their owners; what is in these vAtoms moves to the root,
 * `most` at any depth: throws `invalid` where there is more. In steps. Call it inside a write. Spec 3.
 */
export function* removeVariation(
  scope: ByPublisher & Warned,
  variation: VariationRow,
  most: number = limits.contents,
): Steps<Removed> {
  const { name } = variation
  const { vatoms, variations } = scope.store
  const emitted = vatoms.everyOf(name)
  const owned = emitted.filter(({ owner }) => owner !== trashUser)
  const left = yield* checkContents({ store: scope.store, ids: emitted.map(({ id }) => id), path: '', most })
  for (const vatom of emitted) yield* moveContents(scope, vatom)
  for (const vatom of owned) {
    publishChange(scope, 'Delete', vatom, { ...vatom, owner: trashUser, public: bit(false) })
    yield
  }
  vatoms.removeOf(name)
  variations.remove(name)
  yield* warnOfParents(scope, variation)
  return { vatoms: owned.length, left }
}

/**
 * Moves what is in the vAtoms of drafts to the root, some at a time, so that others write in between. A removal that follows
 * has no more to move than what was put there meanwhile.
 */
export function* emptying(scope: Moment, variations: readonly string[]): Portions<void> {
  const { vatoms } = scope.store
  for (const variation of variations)
    for (const { id } of vatoms.everyOf(variation))
      for (let some = firstOf(vatoms.contents(id)); some; some = firstOf(vatoms.contents(id)))
        yield moveOut(scope, some)
}

const firstOf = <T>(pages: Iterable<T>): T | undefined => pages[Symbol.iterator]().next().value

/** Moves what is in a vAtom to the root, in steps. */
function* moveContents(scope: Moment, { id }: VatomRow): Steps<void> {
  for (const some of scope.store.vatoms.contents(id)) yield* moveOut(scope, some)
}

function* moveOut(scope: Moment, some: readonly VatomRow[]): Steps<void> {
  const { vatoms } = scope.store
  const before = new Map(some.map((vatom) => [vatom.id, vatom]))
  yield* vatoms.move([...before.keys()], nowhere, timestamp(scope.now))
  for (const after of vatoms.byIds(some)) {
    if (after.owner !== trashUser) publishChange(scope, 'Delete', before.get(after.id) ?? after, after)
    yield
  }
}

/** What was deleted with a record: ` with 2 variations and 5 vAtoms`; empty for nothing. */
export function along({ variations = 0, vatoms }: { readonly variations?: number; readonly vatoms: number }): string {
  const parts = [counted(variations, 'variation'), counted(vatoms, 'vAtom')].filter((part) => part !== '')
  return parts.length > 0 ? ` with ${parts.join(' and ')}` : ''
}

const counted = (count: number, noun: string) => (count === 0 ? '' : plural(count, noun))
