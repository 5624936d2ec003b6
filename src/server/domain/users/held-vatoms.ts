import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import type { TokenKey } from '../../../contract/api/user-token-formats.ts'
import type { HeldVatomRow } from '../../store/held-vatoms.ts'
import type { Steps } from '../../store/slices.ts'
import type { UserTokenRow } from '../../store/users.ts'
import { root, type VatomRow } from '../../store/vatoms/vatoms.ts'
import type { ByUser, Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { publishInventory } from '../events.ts'

/**
 * Holds a vAtom, with what is in it, until the address that it was sent to is verified: its user sees it, but anybody
 * can say that an address is theirs. Call it inside a write.
 */
export function* hold({ store }: Moment, { user_id, token_type, token }: UserTokenRow, vatom: VatomRow): Steps<void> {
  for (const some of withContents(store, vatom)) {
    for (const id of some) store.heldVatoms.put({ user_id, vatom_id: id, token_type, token })
    yield
  }
}

/** Ids of a vAtom and of all in it, at any depth, some at a time. */
function* withContents(store: Moment['store'], vatom: VatomRow): Generator<readonly string[], void, void> {
  yield [vatom.id]
  for (const some of store.vatoms.inside(vatom)) yield some.map(({ id }) => id)
}

/** Refuses the owner of a vAtom that is held, or has one in it, as `checkNotHeld` does. Others may act on it. */
export function* checkOwnNotHeld(scope: ByUser, vatom: VatomRow): Steps<void> {
  if (vatom.owner === scope.user.id) yield* checkNotHeld(scope, vatom)
}

/**
 * Refuses whoever would take away a vAtom that is held, or has one in it: its owner with `notActivated`, others, who do
 * not learn the address, with `vatomUnavailable`.
 */
export function* checkNotHeld({ store, user }: ByUser, vatom: VatomRow): Steps<void> {
  if (store.heldVatoms.someOf(vatom.owner, 1).length === 0) return
  for (const some of withContents(store, vatom)) {
    for (const id of some) {
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

/** Why a vAtom may not be put into a folder, or undefined: a folder can be given to somebody with all in it. */
export function againstPutting({ store }: Moment, { id, owner }: VatomRow): string | undefined {
  const held = store.heldVatoms.find(owner, id)
  return held && `the vAtom was sent to ${held.token}: verify that address first`
}

/** Whether vAtoms of a user are held for an address. */
export function* holdsFor({ store }: Moment, user: string, key: TokenKey): Steps<boolean> {
  for (const some of heldFor(store, user, key)) {
    if (some.length > 0) return true
    yield
  }
  return false
}

/** Gives what is held for an address to the user who has verified it. Call it inside a write. */
export function* release(moment: Moment, from: string, key: TokenKey, to: string): Steps<void> {
  const { store, now } = moment
  if (from !== to) {
    const outermost = yield* published(moment, from, key, to)
    for (const id of outermost) {
      yield* store.vatoms.give(id, to, timestamp(now))
      yield
    }
  }
  for (const some of heldFor(store, from, key)) {
    for (const one of some) store.heldVatoms.remove(one)
    yield
  }
}

/** Publishes that what is held goes to another user. Answers the ids of what is to be given, with all in it. */
function* published(moment: Moment, from: string, key: TokenKey, to: string): Steps<readonly string[]> {
  const { store } = moment
  const outermost: string[] = []
  for (const some of heldFor(store, from, key)) {
    for (const vatom of some.flatMap(({ vatom_id }) => store.vatoms.byId(vatom_id) ?? [])) {
      if (vatom.owner !== from) continue
      const goesAlong = isHeldFor(store, vatom.parent_id, from, key)
      if (!goesAlong) outermost.push(vatom.id)
      const given = { ...vatom, owner: to, parent_id: goesAlong ? vatom.parent_id : root }
      publishInventory(moment, 'Transfer', from, given)
    }
    yield
  }
  return outermost
}

/** Whether a user has a vAtom, and it is held for an address. */
function isHeldFor(store: Moment['store'], id: string, user: string, key: TokenKey): boolean {
  const held = store.heldVatoms.find(user, id)
  return held !== undefined && isFor(held, key) && store.vatoms.byId(id)?.owner === user
}

const isFor = (held: HeldVatomRow, { token_type, token }: TokenKey): boolean =>
  held.token_type === token_type && held.token === token

const heldAtOnce = 25

/** What is held of a user for an address, some at a time. */
function* heldFor(store: Moment['store'], user: string, key: TokenKey): Generator<readonly HeldVatomRow[], void, void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const some: readonly HeldVatomRow[] = store.heldVatoms.someOf(user, heldAtOnce, after)
    yield some.filter((one) => isFor(one, key))
    after = some.at(-1)?.vatom_id
  }
}
