import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import type { TokenKey } from '../../../contract/api/user-token-formats.ts'
import { limits } from '../../../contract/limits.ts'
import type { HeldVatomRow } from '../../store/held-vatoms.ts'
import type { Steps } from '../../store/slices.ts'
import type { UserTokenRow } from '../../store/users.ts'
import { root, type VatomRow } from '../../store/vatoms/vatoms.ts'
import type { ByUser, Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { publishInventory } from '../events.ts'
import { changingInside, firstInside } from '../vatoms/contents.ts'

/**
 * Holds a vAtom, with what is in it, until the address that it was sent to is verified: its user sees it, but anybody
 * can say that an address is theirs. Call it inside a write. Throws `invalid`, at the key of the request that names the
 * address, if that is more than others can wait for once it is given away.
 */
export function* hold({ store }: Moment, address: UserTokenRow, vatom: VatomRow, key: string): Steps<void> {
  const { user_id, token_type, token } = address
  let left = limits.held - store.heldVatoms.countFor(address)
  for (const some of withContents(vatom, store.vatoms.inside(vatom))) {
    left -= some.length
    if (left < 0) throw errorAt(key, 'invalid', tooMuchHeld(token))
    for (const { id } of some) store.heldVatoms.put({ user_id, vatom_id: id, token_type, token })
    yield
  }
}

const tooMuchHeld = (token: string) =>
  `more than ${limits.held} vAtoms would be held for ${token}, which is not verified: its user is to verify it first`

type Some = readonly { readonly id: string }[]

/** A vAtom, and what is in it, some at a time. */
function* withContents(vatom: VatomRow, contents: Iterable<Some>): Generator<Some, void, void> {
  yield [vatom]
  yield* contents
}

/**
 * Refuses the owner of a vAtom that is held, or has one in it, as `checkNotHeld` does. Others may act on it. Where more is
 * in it than may change with it, only as much is looked through: who would change all of it is refused for that.
 */
export function* checkOwnNotHeld(scope: ByUser, vatom: VatomRow): Steps<void> {
  if (vatom.owner === scope.user.id) yield* checkEach(scope, vatom, firstInside(scope.store, [vatom.id]))
}

/**
 * Refuses whoever would take away a vAtom that is held, or has one in it: its owner with `notActivated`, others, who do
 * not learn the address, with `vatomUnavailable`. Throws `invalid` if too much is in it.
 */
export const checkNotHeld = (scope: ByUser, vatom: VatomRow): Steps<void> =>
  checkEach(scope, vatom, changingInside({ store: scope.store, ids: [vatom.id], path: 'this.id' }))

function* checkEach({ store, user }: ByUser, vatom: VatomRow, contents: Iterable<Some>): Steps<void> {
  if (store.heldVatoms.someOf(vatom.owner, 1).length === 0) return
  for (const some of withContents(vatom, contents)) {
    for (const { id } of some) {
      const held = store.heldVatoms.find(vatom.owner, id)
      if (held) throw heldBack(id, vatom.owner === user.id ? held.token : undefined)
    }
    yield
  }
}

const heldBack = (id: string, address: string | undefined): ApiError =>
  address === undefined
    ? errorAt('this.id', 'vatomUnavailable', `the vAtom ${id} was sent to an address that is not verified`)
    : new ApiError('notActivated', `the vAtom ${id} was sent to ${address}: verify that address first`)

/**
 * Why a vAtom may neither be put into a folder nor have others put into it, or undefined: a folder can be given to somebody
 * with all in it.
 */
export function againstPutting({ store }: Moment, { id, owner }: VatomRow): string | undefined {
  const held = store.heldVatoms.find(owner, id)
  return held && `the vAtom was sent to ${held.token}: verify that address first`
}

/** Whether vAtoms of a user are held for an address of theirs. */
export const holdsFor = ({ store }: Moment, address: UserTokenRow): boolean =>
  store.heldVatoms.someFor(address, 1).length > 0

/** Gives what is held for an address to the user who has verified it. Call it inside a write. */
export function* release(moment: Moment, from: string, key: TokenKey, to: string): Steps<void> {
  for (const some of heldFor(moment.store, from, key)) {
    for (const held of some) yield* releaseOne(moment, held, to)
    yield
  }
}

/** Gives a vAtom that is held, with what is held around it, to a user. Call it inside a write. */
export function* releaseOne(moment: Moment, held: HeldVatomRow, to: string): Steps<void> {
  const { store, now } = moment
  const { user_id: from, vatom_id } = held
  const vatom = store.vatoms.byId(vatom_id)
  if (from !== to && vatom?.owner === from) {
    const outermost = outermostHeld(store, vatom, held)
    yield* publishGiven(moment, outermost, held, to)
    yield* store.vatoms.give(outermost.id, to, timestamp(now))
  }
  store.heldVatoms.remove(held)
}

/** The outermost folder around a vAtom that is held with it; the vAtom itself if there is none. */
function outermostHeld(store: Moment['store'], vatom: VatomRow, held: HeldVatomRow): VatomRow {
  let outermost = vatom
  for (;;) {
    const around = heldVatom(store, outermost.parent_id, held)
    if (!around) return outermost
    outermost = around
  }
}

/** Publishes that a vAtom goes to another user, with what is held in it. */
function* publishGiven(moment: Moment, outermost: VatomRow, held: HeldVatomRow, to: string): Steps<void> {
  const { store } = moment
  publishInventory(moment, 'Transfer', held.user_id, { ...outermost, owner: to, parent_id: root })
  for (const some of store.vatoms.inside(outermost)) {
    for (const { id } of some) {
      const vatom = heldVatom(store, id, held)
      if (vatom) publishInventory(moment, 'Transfer', held.user_id, { ...vatom, owner: to })
    }
    yield
  }
}

/** A vAtom if it is held as another is, for the same address, and its user has it. */
function heldVatom(
  store: Moment['store'],
  id: string,
  { user_id, token_type, token }: HeldVatomRow,
): VatomRow | undefined {
  const held = store.heldVatoms.find(user_id, id)
  const isAlike = held?.token_type === token_type && held.token === token
  const vatom = isAlike ? store.vatoms.byId(id) : undefined
  return vatom?.owner === user_id ? vatom : undefined
}

const heldAtOnce = 25

/** What is held of a user for an address, some at a time. */
function* heldFor(
  { heldVatoms }: Moment['store'],
  user_id: string,
  { token_type, token }: TokenKey,
): Generator<readonly HeldVatomRow[], void, void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const some: readonly HeldVatomRow[] = heldVatoms.someFor({ user_id, token_type, token }, heldAtOnce, after)
    yield some
    after = some.at(-1)?.vatom_id
  }
}
