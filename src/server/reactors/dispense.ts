import { errorAt } from '../../contract/errors.ts'
import { toldBy } from '../actions/activity.ts'
import { checkPermission, checkUsable } from '../actions/available.ts'
import { handOver } from '../actions/changes.ts'
import type { Reactor } from '../actions/reactor.ts'
import { againstHolding, builtInOf } from '../records/folders.ts'

/**
 * Takes out of a folder the vAtom that was made first, to the caller's root. Others than its owner get what is
 * acquirable, which it is no longer then.
 */
export const dispense: Reactor = {
  act: ({ scope, name, vatom: folder }) => {
    const why = againstHolding(builtInOf(folder).root_type)
    if (why) throw errorAt('this.id', 'invalid', why)
    const vatom = scope.store.vatoms.firstIn(folder.id)
    if (!vatom) throw errorAt('this.id', 'folderEmpty', `nothing is in the folder ${folder.id}`)
    checkUsable(vatom)
    const isOwn = vatom.owner === scope.user.id
    if (!isOwn) checkPermission(vatom, 'acquirable')
    handOver({ scope, name, vatom }, scope.user.id, isOwn ? {} : { acquirable: false })
    const output = { ids: [vatom.id] }
    return isOwn ? { output } : { output, told: toldBy(scope.user, 'acquired your', vatom, vatom.owner) }
  },
}
