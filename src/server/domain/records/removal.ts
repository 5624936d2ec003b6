import { ApiError } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { Portions, Steps } from '../../store/slices.ts'
import { bit } from '../../store/table.ts'
import type { VariationRow } from '../../store/variations.ts'
import { type Content, type HoldingVatom, mayHold } from '../../store/vatoms/vatom-folders.ts'
import { trashUser, type VatomRow } from '../../store/vatoms/vatoms.ts'
import { asNow, type ByPublisher, type Moment, type Warned, writeInPortionsAs, writeInStepsAs } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { publishChange } from '../events.ts'
import { checkContents, rowsIn, tooMuchDeeper } from '../vatoms/contents.ts'
import { nowhere } from '../vatoms/folders.ts'
import { warnOfParents } from './children.ts'

type ByDeleter = ByPublisher & Warned

/** A draft that is to be deleted. */
interface Deletion<S> {
  /** What messages call it: its kind and name. */
  readonly subject: string
  /** How many rows change with it. */
  readonly rows: number
  /** Throws where it may not be deleted, or not any more. */
  readonly check: (scope: S) => void
  /** Throws, in steps, where more goes with it than others can wait for. */
  readonly checkSize?: (scope: S) => Steps<void>
  /** The variations that are deleted with it, which are drafts if it is one. */
  readonly variations: (scope: S) => Iterable<VariationRow>
  /** How many vAtoms are deleted with it, trashed ones included. */
  readonly vatoms: (scope: S) => number
  /** How many of them may be, as its request says; any number if it does not. */
  readonly most?: number | undefined
  /** Removes what else there is of it, in steps. */
  readonly rest?: (scope: S) => Steps<void>
}

/** What was deleted with a draft: `vatoms` are those that their owners lose. */
interface Removed {
  readonly variations: number
  readonly vatoms: number
}

/**
 * Deletes a draft with its variations and their vAtoms. What is in these moves to the root: where it is much, some at a time
 * before the rest, so that others write in between; the draft, and how many vAtoms it has, are checked anew each time. Throws
 * what `check` throws, `moreVatoms` where more would be deleted than may be, and `invalid` where more would change at once
 * than others can wait for; after something was moved, its message says that this stays so. Spec 3.
 */
export async function removeDraft<S extends ByDeleter>(scope: S, deletion: Deletion<S>): Promise<Removed> {
  const { rows } = deletion
  const moved: Moved = { count: 0 }
  try {
    if (rows > limits.fewRows) await writeInPortionsAs(scope, rows, (scope) => emptying(scope, deletion, moved))
    return await writeInStepsAs(scope, rows, (scope) => removal(scope, deletion))
  } catch (error) {
    throw moved.count > 0 && error instanceof ApiError ? afterMoving(error) : error
  }
}

/** How many vAtoms were moved out of others before these are deleted. */
interface Moved {
  count: number
}

const afterMoving = ({ kind, message, issues }: ApiError) =>
  new ApiError(kind, `${message}; what was moved out of the vAtoms of the draft before stays at the root`, issues)

/** Moves what is in the vAtoms of a draft to the root. Nothing is moved where one in them takes along too much. */
function* emptying<S extends ByDeleter>(scope: S, deletion: Deletion<S>, moved: Moved): Portions<void> {
  const { check, variations } = deletion
  yield checkAll(scope, deletion)
  const holding: HoldingVatom[] = []
  yield findHolding(scope, variations(scope), holding)
  for (const portion of emptyingOf(scope, holding, moved)) {
    const now = asNow(scope)
    check(now)
    checkVatoms(now, deletion)
    yield portion
  }
}

/** Throws where a draft may not be deleted, or more goes with it than may, or than others can wait for. */
function* checkAll<S extends ByDeleter>(scope: S, deletion: Deletion<S>): Steps<void> {
  const { check, checkSize } = deletion
  check(scope)
  if (checkSize) yield* checkSize(scope)
  checkVatoms(scope, deletion)
}

/** Throws `moreVatoms` if more vAtoms are deleted with a draft than may be, counted as the records of variations show them. */
function checkVatoms<S extends ByDeleter>(scope: S, { subject, vatoms, most }: Deletion<S>): void {
  if (most === undefined) return
  const count = vatoms(scope)
  if (count > most)
    throw new ApiError(
      'moreVatoms',
      `${subject} has ${plural(count, 'vAtom')}, trashed and redeemed ones included, and at most ${most} may be deleted`,
    )
}

/** Finds the vAtoms of some variations that have something in them. */
function* findHolding({ store }: Moment, variations: Iterable<VariationRow>, found: HoldingVatom[]): Steps<void> {
  for (const { name } of variations) {
    found.push(...store.vatoms.holdingOfVariation(name))
    yield
  }
}

function* emptyingOf(scope: Moment, folders: readonly HoldingVatom[], moved: Moved): Portions<void> {
  for (const some of contentsOf(scope, folders.filter(isSeenByAll))) yield checkTakenAlong(scope, some)
  for (const some of contentsOf(scope, folders)) {
    yield moveChecked(scope, some)
    moved.count += some.length
  }
}

const isSeenByAll = (vatom: Pick<VatomRow, 'public'>): boolean => vatom.public === 1

/** What is in some vAtoms, as much at a time as one portion moves. */
function* contentsOf({ store }: Moment, folders: readonly HoldingVatom[]) {
  for (const { id } of folders) yield* store.vatoms.contentsNow(id, (some) => firstOf(store, some))
}

/** The first of some, one at least, that change few rows as they are moved out. */
function firstOf(store: Moment['store'], some: readonly Content[]): readonly Content[] {
  let rows = 0
  const last = some.findIndex((content) => {
    rows += takesAlong(content) ? rowsIn(store, [content.id]) : 1
    return rows > limits.fewRows
  })
  return last < 0 ? some : some.slice(0, Math.max(last, 1))
}

/** Whether the visibility of what is in a vAtom changes as that moves from its folder to the root. */
const takesAlong = (content: Content): boolean =>
  isSeenByAll(content) && content.visibility_type === 'container' && mayHold(content)

/** Refuses to move what takes along more than others can wait for. */
function* checkTakenAlong({ store }: Moment, some: readonly Content[]): Steps<void> {
  for (const { id } of some.filter(takesAlong))
    yield* checkContents({ store, ids: [id], path: '', tooMuch: tooMuchDeeper(id) })
}

/** Moves vAtoms to the root, in steps, if what was put there meanwhile does not take along too much, either. */
function* moveChecked(scope: Moment, some: readonly Content[]): Steps<void> {
  yield* checkTakenAlong(scope, some)
  yield* moveOut(scope, some)
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

/** Deletes a draft in one transaction, with what is left in its vAtoms. */
function* removal<S extends ByDeleter>(scope: S, deletion: Deletion<S>): Steps<Removed> {
  const { variations, rest } = deletion
  yield* checkAll(scope, deletion)
  const removed = { variations: 0, vatoms: 0 }
  let most: number = limits.contents
  for (const variation of variations(scope)) {
    const { vatoms, left } = yield* removeVariation(scope, variation, most)
    removed.variations++
    removed.vatoms += vatoms
    most = left
    yield
  }
  if (rest) yield* rest(scope)
  return removed
}

/**
 * Deletes a variation with its vAtoms, and publishes that to their owners; what is in these vAtoms moves to the root, where
 * no more than `most` change with that. Returns how many vAtoms their owners lose, and how many more may move.
 */
function* removeVariation(
  scope: ByDeleter,
  variation: VariationRow,
  most: number,
): Steps<{ readonly vatoms: number; readonly left: number }> {
  const { name } = variation
  const { vatoms, variations } = scope.store
  const emitted = vatoms.everyOf(name)
  const owned = emitted.filter(({ owner }) => owner !== trashUser)
  const left = yield* checkLeft(scope, emitted, most)
  for (const { id } of emitted) for (const some of vatoms.contents(id)) yield* moveOut(scope, some)
  for (const vatom of owned) {
    publishChange(scope, 'Delete', vatom, { ...vatom, owner: trashUser, public: bit(false) })
    yield
  }
  vatoms.removeOf(name)
  variations.remove(name)
  warnOfParents(scope, variation)
  return { vatoms: owned.length, left }
}

/**
 * Refuses to move what is left in vAtoms where more than `most` change with that: they, and what is in those that take it
 * along. What is deeper in others stays as it is. Returns how many more may change.
 */
function* checkLeft({ store }: Moment, folders: readonly VatomRow[], most: number): Steps<number> {
  let left = most
  for (const { id } of folders)
    for (const some of store.vatoms.contents(id)) {
      const ids = some.filter(takesAlong).map((content) => content.id)
      left = yield* checkContents({ store, ids, path: '', most: left - store.vatoms.weightOf(some) })
      yield
    }
  return left
}

/** What was deleted with a record: ` with 2 variations and 5 vAtoms`; empty for nothing. */
export function along({ variations = 0, vatoms }: { readonly variations?: number; readonly vatoms: number }): string {
  const parts = [counted(variations, 'variation'), counted(vatoms, 'vAtom')].filter((part) => part !== '')
  return parts.length > 0 ? ` with ${parts.join(' and ')}` : ''
}

const counted = (count: number, noun: string) => (count === 0 ? '' : plural(count, noun))
