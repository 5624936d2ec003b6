import { ApiError, errorAt } from '../../../contract/api/errors.ts'
import type { TokenKey } from '../../../contract/api/user-token-formats.ts'
import type { HeldVatomRow } from '../../store/held-vatoms.ts'
import { atOnce, type Steps } from '../../store/slices.ts'
import type { UserTokenRow } from '../../store/users.ts'
import { mayHold, type VatomRow } from '../../store/vatoms/vatoms.ts'
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
  if (mayHold(vatom)) for (const some of store.vatoms.inside(vatom.id)) yield some.map(({ id }) => id)
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
export function holdsFor({ store }: Moment, user: string, key: TokenKey): boolean {
  for (const some of heldFor(store, user, key)) if (some.length > 0) return true
  return false
}

/** Gives what is held for an address to the user who has verified it. Call it inside a write. */
export function release(moment: Moment, from: string, key: TokenKey, to: string): void {
  const { store, now } = moment
  const held = [...heldFor(store, from, key)].flat()
  for (const one of held) store.heldVatoms.remove(one)
  if (from === to) return
  const vatoms = held.flatMap(({ vatom_id }) => store.vatoms.byId(vatom_id) ?? []).filter(({ owner }) => owner === from)
  const ids = new Set(vatoms.map(({ id }) => id))
  for (const { id } of vatoms.filter(({ parent_id }) => !ids.has(parent_id)))
    atOnce(store.vatoms.give(id, to, timestamp(now)))
  for (const { id } of vatoms) {
    const given = store.vatoms.byId(id)
    if (given) publishInventory(moment, 'Transfer', from, given)
  }
}

const heldAtOnce = 25

/** What is held of a user for an address, some at a time. */
function* heldFor(
  store: Moment['store'],
  user: string,
  { token_type, token }: TokenKey,
): Generator<readonly HeldVatomRow[], void, void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const some: readonly HeldVatomRow[] = store.heldVatoms.someOf(user, heldAtOnce, after)
    yield some.filter((one) => one.token_type === token_type && one.token === token)
    after = some.at(-1)?.vatom_id
  }
}
