import { errorAt } from '../../../contract/api/errors.ts'
import { toldBy } from '../activity.ts'
import { checkPermission, checkPublished } from '../available.ts'
import { handOver } from '../change-set.ts'
import type { Reactor } from '../reactor.ts'

/** Whoever sees a vAtom that is acquirable takes it, after which nobody else can. Nothing is paid for it. Spec 2.4. */
export const acquire: Reactor = {
  act: (run) => {
    const { scope, vatom } = run
    if (vatom.owner === scope.user.id)
      throw errorAt('this.id', 'alreadyOwned', `the vAtom ${vatom.id} is yours already`)
    checkPublished(vatom)
    checkPermission(vatom, 'acquirable')
    handOver(run, scope.user.id, { acquirable: false })
    return { output: {}, told: toldBy(scope.user, 'acquired your', vatom, vatom.owner) }
  },
}
