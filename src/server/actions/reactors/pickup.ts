import { errorAt } from '../../../contract/api/errors.ts'
import { timestamp } from '../../clock.ts'
import { builtInOf } from '../../domain/folders.ts'
import type { VatomRow } from '../../store/vatoms.ts'
import { toldBy } from '../activity.ts'
import { checkPublished } from '../available.ts'
import { change, handOver } from '../change-set.ts'
import type { Reactor } from '../reactor.ts'

/** Whoever finds a dropped vAtom takes it off the map, and is its owner then. */
export const pickup: Reactor = {
  // Who comes second no longer sees it, and is told what happened to it.
  reaches: (_scope, vatom) => {
    checkDropped(vatom)
    return true
  },
  act: (run) => {
    const { scope, vatom } = run
    checkDropped(vatom)
    if (vatom.owner === scope.user.id) {
      change(run, () => scope.store.vatoms.place(vatom.id, undefined, timestamp(scope.now)))
      return { output: {} }
    }
    checkPublished(vatom)
    handOver(run, scope.user.id)
    return { output: {}, told: toldBy(scope.user, 'picked up your', vatom, vatom.owner) }
  },
}

function checkDropped(vatom: VatomRow): void {
  if (builtInOf(vatom).dropped !== true) throw errorAt('this.id', 'notDropped', `the vAtom ${vatom.id} is not dropped`)
}
