import { errorAt } from '../../../contract/api/errors.ts'
import { maySee } from '../../domain/access.ts'
import { againstHolding, builtInOf } from '../../domain/folders.ts'
import type { VatomRow } from '../../store/vatoms.ts'
import { toldBy } from '../activity.ts'
import { checkPermission, checkPublished, checkUsable } from '../available.ts'
import { handOver } from '../change-set.ts'
import type { Reactor } from '../reactor.ts'

/**
 * Takes out of a folder the vAtom that was made first of those that the caller sees, to the caller's root. Others than
 * its owner get what is acquirable, which it is no longer then.
 */
export const dispense: Reactor = {
  act: ({ scope, name, vatom: folder }) => {
    const why = againstHolding(builtInOf(folder).root_type)
    if (why) throw errorAt('this.id', 'invalid', why)
    const vatom = scope.store.vatoms.contents(folder.id).find((one) => maySee(scope, one))
    if (!vatom) throw errorAt('this.id', 'folderEmpty', `nothing that you see is in the folder ${folder.id}`)
    checkUsable(vatom)
    const isOwn = vatom.owner === scope.user.id
    if (!isOwn) checkTakeable(vatom)
    handOver({ scope, name, vatom }, scope.user.id, isOwn ? {} : { acquirable: false })
    const output = { ids: [vatom.id] }
    return isOwn ? { output } : { output, told: toldBy(scope.user, 'acquired your', vatom, vatom.owner) }
  },
}

/** Refuses what others cannot acquire. */
function checkTakeable(vatom: VatomRow): void {
  checkPublished(vatom)
  checkPermission(vatom, 'acquirable')
}
