import { limits } from '../../../contract/limits.ts'
import { discoverContainer } from '../../../contract/values.ts'
import { parent, searchBy } from '../../domain/vatoms/containers.ts'
import { checkRootType } from '../permissions.ts'
import { inOneStep, type Reactor } from '../reactor.ts'

/** Returns the ids of what a discover container shows the caller; changes nothing. Spec 2.4. */
export const discover: Reactor = {
  act: inOneStep(({ scope, vatom }) => {
    checkRootType(vatom, discoverContainer, 'Discover needs a discover container')
    const { search, slices, idsOf } = scope.store
    const wanted = searchBy(scope, { scope: { key: parent, value: vatom.id } })
    const found = slices.atOnce(search.page(wanted, { limit: limits.pageMax, offset: 0 }), scope)
    return { output: { ids: idsOf(found) } }
  }),
}
