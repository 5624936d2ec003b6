import { ApiError } from '../../contract/api/errors.ts'
import { timestamp } from '../domain/clock.ts'
import { type Arrival, publishArrival, publishChange } from '../domain/events.ts'
import { checkNotHeld } from '../domain/users/held-vatoms.ts'
import { builtInOf } from '../domain/vatoms/properties.ts'
import type { Handover } from '../store/vatoms/vatom-life.ts'
import type { VatomRow } from '../store/vatoms/vatoms.ts'
import { checkMayLeave, checkUsable } from './permissions.ts'
import type { Run } from './reactor.ts'

type Acting = Pick<Run, 'scope' | 'name' | 'vatom'>

/** A vAtom, and all in it, at any depth. */
export const withContents = ({ scope, vatom }: Acting): VatomRow[] => scope.store.vatoms.withContents(vatom.id)

/**
 * Changes a vAtom, and publishes each change of it and of what is in it; `before` is all of that. Returns the changed vAtom.
 */
export function change(acting: Acting, work: () => void, before: readonly VatomRow[] = withContents(acting)): VatomRow {
  const { scope, name, vatom } = acting
  work()
  const changes = before.flatMap((was) => changesOf(scope, was))
  for (const { was, is } of changes)
    if (was.id === vatom.id || was.owner === is.owner) publishChange(scope, name, was, is)
  for (const arrival of arrivalsIn(changes, vatom.id)) publishArrival(scope, name, arrival)
  const changed = changes.find(({ is }) => is.id === vatom.id)?.is ?? scope.store.vatoms.byId(vatom.id)
  if (!changed) throw new ApiError('internal', `the vAtom ${vatom.id} no longer exists`)
  return changed
}

interface Changed {
  readonly was: VatomRow
  readonly is: VatomRow
}

function changesOf({ store }: Run['scope'], was: VatomRow): Changed[] {
  const is = store.vatoms.byId(was.id)
  return is && is.json !== was.json ? [{ was, is }] : []
}

/** The contents that changed hands with a folder, which may be thousands; those that are alike are published together. */
function arrivalsIn(changes: readonly Changed[], folder: string): Arrival[] {
  const alike = new Map<string, Arrival & { readonly ids: string[] }>()
  for (const { was, is } of changes) {
    if (is.id === folder || was.owner === is.owner) continue
    const { owner, template_variation, parent_id } = is
    const key = [was.owner, template_variation, parent_id].join(' ')
    const arrival = alike.get(key) ?? { ids: [], owner, from: was.owner, template_variation, parent_id }
    arrival.ids.push(is.id)
    alike.set(key, arrival)
  }
  return [...alike.values()]
}

/** Gives a vAtom of the caller's, with its contents, to the trash user, unless it is held or must stay in its folder. */
export function trash(acting: Acting): void {
  const { scope, vatom } = acting
  checkNotHeld(scope, vatom)
  checkMayLeave(scope, vatom)
  change(acting, () => scope.store.vatoms.trash(vatom.id, timestamp(scope.now)))
}

/**
 * Gives a vAtom and its contents to another user; it is in no folder and not on the map then. `extra` are other built-in
 * properties to set; `before` are the vAtom and its contents. Refuses if one of them is disabled or bound in a contract.
 */
export function handOver(
  acting: Acting,
  to: string,
  extra: Handover = {},
  before: readonly VatomRow[] = withContents(acting),
): VatomRow {
  const { scope, vatom } = acting
  checkMayLeave(scope, vatom)
  before.forEach(checkUsable)
  const now = timestamp(scope.now)
  const give = () => {
    scope.store.vatoms.give(vatom.id, to, now, extra)
    if (builtInOf(vatom).dropped === true) scope.store.vatoms.place(vatom.id, undefined, now)
  }
  return change(acting, give, before)
}
