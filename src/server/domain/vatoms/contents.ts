import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Steps } from '../../store/slices.ts'
import type { Store } from '../../store/store.ts'
import type { Inside } from '../../store/vatoms/vatom-folders.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'

/** All in vAtoms, at any depth, some at a time. */
function* insideEach({ vatoms }: Store, ids: readonly string[]): Generator<readonly Inside[], void, void> {
  for (const id of ids) {
    const vatom = vatoms.byId(id)
    if (vatom) yield* vatoms.inside(vatom)
  }
}

/** As how many rows vAtoms count that change with all in them, or as a few more than few. */
export function rowsIn(store: Store, ids: readonly string[]): number {
  let rows = store.vatoms.weightOf(ids.map((id) => ({ id })))
  if (rows > limits.fewRows) return rows
  for (const some of insideEach(store, ids)) {
    rows += store.vatoms.weightOf(some)
    if (rows > limits.fewRows) break
  }
  return rows
}

/** Each vAtom that is moved is read, written and reported by itself: it takes as long as so many rows. */
const changesOfMove = 4

/** The same where the vAtoms, or those in them, are moved. */
export const rowsMoved = (store: Store, ids: readonly string[]): number => changesOfMove * rowsIn(store, ids)

/** The vAtoms of a request that change with all in them; the path in it that names them, and what is too much, for the error. */
interface Reached {
  readonly store: Store
  readonly ids: readonly string[]
  readonly path: string
  readonly tooMuch?: string
  /** How many more may change. */
  readonly most?: number
}

/**
 * What is in vAtoms, some at a time, as far as a change may take it along. Returns how many more it may; less than none
 * where that is not all.
 */
export function* firstInside(
  store: Store,
  ids: readonly string[],
  most: number = limits.contents,
): Generator<readonly Inside[], number, void> {
  let left = most
  for (const some of insideEach(store, ids)) {
    left -= store.vatoms.weightOf(some)
    if (left < 0) break
    yield some
  }
  return left
}

/**
 * All in vAtoms that change with it, some at a time. Returns how many more may change. Throws `invalid` once that is more
 * than others can wait for.
 */
export function* changingInside({
  store,
  ids,
  path,
  most,
  tooMuch = tooMuchInside,
}: Reached): Generator<readonly Inside[], number, void> {
  const left = yield* firstInside(store, ids, most)
  if (left < 0) throw errorAt(path, 'invalid', tooMuch)
  return left
}

const weight = 'one counts once more for each 16 KB of its JSON'
const tooMuchInside = `more than ${limits.contents} vAtoms are in what is to be changed, and would change with it (${weight}): take some out first`

/** That too much is in a vAtom whose visibility changes as its folder is deleted. */
export const tooMuchDeeper = (id: string): string =>
  `the vAtom ${id} is in one that is to be deleted, and takes its visibility from it; more than ${limits.contents} vAtoms are in it, and would change with it (${weight}): its owner has to take some out of it first`

/** Returns and throws the same before any of them is changed, in steps. Call it inside a write. */
export function* checkContents(reached: Reached): Steps<number> {
  const inside = changingInside(reached)
  for (;;) {
    const { done, value } = inside.next()
    if (done) return value
    yield
  }
}

/** The same where addresses of a user are verified or removed: what is held for these is given away with what is in it. */
export const rowsHeld = (store: Store, user: string): number =>
  rowsIn(
    store,
    store.heldVatoms.someOf(user, limits.fewRows + 1).map(({ vatom_id }) => vatom_id),
  )

/** The same where is checked whether a vAtom, or one in it, is held: nothing is looked through if its owner has none held. */
export const rowsChecked = (store: Store, { id, owner }: VatomRow): number =>
  store.heldVatoms.someOf(owner, 1).length === 0 ? 0 : rowsIn(store, [id])
