import type { Section } from '../../contract/complete.ts'
import { ApiError, errorAt } from '../../contract/errors.ts'
import { timestamp } from '../clock.ts'
import { tellChange } from '../events/change.ts'
import { againstChange, builtInOf, folderAround } from '../records/folders.ts'
import type { Store } from '../store/store.ts'
import type { VatomRow } from '../store/vatoms.ts'
import { checkUsable } from './available.ts'
import type { Run } from './reactor.ts'

type Acting = Pick<Run, 'scope' | 'name' | 'vatom'>

/** Makes changes to a vAtom, and tells of each that it or anything in it went through. Answers it as it is then. */
export function change({ scope, name, vatom }: Acting, work: () => void): VatomRow {
  const before = [vatom, ...inside(scope.store, vatom.id)]
  work()
  for (const one of before) {
    const after = scope.store.vatoms.byId(one.id)
    if (after && after.json !== one.json) tellChange(scope, name, one, after)
  }
  const changed = scope.store.vatoms.byId(vatom.id)
  if (!changed) throw new ApiError('internal', `the vAtom ${vatom.id} is gone`)
  return changed
}

/** Everything in a vAtom, however deep; nothing holds itself. */
export function inside(store: Store, folder: string): VatomRow[] {
  const contents = store.vatoms.contents(folder).flatMap(({ id }) => store.vatoms.byId(id) ?? [])
  return contents.flatMap((one) => [one, ...inside(store, one.id)])
}

/** Refuses to take a vAtom out of a folder whose rules keep it there. Spec 2.4. */
export function checkMayLeave({ store }: Run['scope'], vatom: VatomRow): void {
  const why = againstChange(store, folderAround(store, vatom), vatom.template_variation, -1)
  if (why) throw errorAt('this.id', 'invalid', why)
}

/**
 * Gives a vAtom, with what is in it, to somebody: out of its folder and off the map, at their root. `extra` are other
 * built-in properties that it has then. Refuses to give what is disabled or in a contract in a folder, as by itself.
 */
export function handOver(acting: Acting, to: string, extra: Section = {}): VatomRow {
  const { scope, vatom } = acting
  checkMayLeave(scope, vatom)
  for (const one of scope.store.vatoms.withContents(vatom.id)) checkUsable(one)
  const now = timestamp(scope.now)
  return change(acting, () => {
    scope.store.vatoms.give(vatom.id, to, now, extra)
    if (builtInOf(vatom).dropped === true) scope.store.vatoms.place(vatom.id, undefined, now)
  })
}
