import { ApiError } from '../../contract/api/errors.ts'
import { timestamp } from '../domain/clock.ts'
import { type Arrival, publishArrival, publishChange } from '../domain/events.ts'
import { checkNotHeld } from '../domain/users/held-vatoms.ts'
import { changingInside } from '../domain/vatoms/contents.ts'
import { builtInOf } from '../domain/vatoms/properties.ts'
import type { Steps } from '../store/slices.ts'
import type { Handover } from '../store/vatoms/vatom-life.ts'
import { trashUser, type VatomRow } from '../store/vatoms/vatoms.ts'
import { checkMayLeave, checkPublished, checkUsable } from './permissions.ts'
import type { Run } from './reactor.ts'

type Acting = Pick<Run, 'scope' | 'name' | 'vatom'>

/** Carries out work on a vAtom that changes and on all in it, at any depth, in steps. Throws `invalid` if that is too much. */
export function* eachInside({ scope: { store }, vatom }: Acting, work: (one: VatomRow) => void): Steps<void> {
  work(vatom)
  yield
  for (const some of changingInside({ store, ids: [vatom.id], path: 'this.id' }))
    for (const one of store.vatoms.byIds(some)) {
      work(one)
      yield
    }
}

function known({ store }: Run['scope'], id: string): VatomRow {
  const vatom = store.vatoms.byId(id)
  if (!vatom) throw new ApiError('internal', `the vAtom ${id} no longer exists`)
  return vatom
}

/** Publishes what changed in a vAtom since it was read, but nothing of what is in it. */
export function publishChanged({ scope, name, vatom }: Acting): void {
  const changed = known(scope, vatom.id)
  if (changed.json !== vatom.json) publishChange(scope, name, vatom, changed)
}

/** The same after work that changes it. */
export function* change(acting: Acting, work: Steps<void>): Steps<void> {
  yield* work
  publishChanged(acting)
}

/** Gives a vAtom to an owner with all in it, by `work`, if all pass a check, and publishes each of these changes. */
function* changeHands(acting: Acting, owner: string, work: Steps<void>, check = (_: VatomRow) => {}): Steps<void> {
  const { scope, name } = acting
  const contents = yield* contentsOf(acting, owner, check)
  yield* change(acting, work)
  yield
  for (const was of contents.owned) {
    publishChange(scope, name, was, known(scope, was.id))
    yield
  }
  for (const arrival of contents.arrivals) {
    publishArrival(scope, name, { ...arrival, owner })
    yield
  }
}

/** What is in a folder: what belongs to an owner already, and the rest, of which those that are alike are published together. */
function* contentsOf(acting: Acting, owner: string, check: (one: VatomRow) => void) {
  const owned: VatomRow[] = []
  const alike = new Map<string, Omit<Arrival, 'owner'> & { readonly ids: string[] }>()
  yield* eachInside(acting, (one) => {
    check(one)
    const { id, owner: from, template_variation, parent_id } = one
    if (id === acting.vatom.id) return
    const key = [from, template_variation, parent_id].join(' ')
    const arrival = alike.get(key) ?? { ids: [], from, template_variation, parent_id }
    if (from === owner) owned.push(one)
    else alike.set(key, arrival).get(key)?.ids.push(id)
  })
  return { owned, arrivals: alike.values() }
}

/** Gives a vAtom of the caller's, with its contents, to the trash user, unless it is held or must stay in its folder. */
export function* trash(acting: Acting): Steps<void> {
  const { scope, vatom } = acting
  yield* checkNotHeld(scope, vatom)
  checkMayLeave(scope, vatom)
  yield* changeHands(acting, trashUser, scope.store.vatoms.trash(vatom.id, timestamp(scope.now)))
}

/**
 * Gives a vAtom and its contents to another user; it is in no folder and not on the map then. `extra` are other built-in
 * properties to set. Refuses if one of them is held, disabled or bound in a contract.
 */
export function* handOver(acting: Acting, to: string, extra: Handover = {}, check = checkUsable): Steps<void> {
  const { scope, vatom } = acting
  yield* checkNotHeld(scope, vatom)
  checkMayLeave(scope, vatom)
  yield* changeHands(acting, to, given(acting, to, extra), check)
}

/** The same for a caller who takes what its owner offers to everybody: of a draft, they get nothing. */
export const take = (acting: Acting, extra: Handover = {}): Steps<void> =>
  handOver(acting, acting.scope.user.id, extra, (one) => {
    checkUsable(one)
    checkPublished(acting.scope, acting.vatom, one)
  })

function* given({ scope, vatom }: Acting, to: string, extra: Handover): Steps<void> {
  const { vatoms } = scope.store
  const now = timestamp(scope.now)
  yield* vatoms.give(vatom.id, to, now, extra)
  if (builtInOf(vatom).dropped === true) yield* vatoms.place(vatom.id, undefined, now)
}
