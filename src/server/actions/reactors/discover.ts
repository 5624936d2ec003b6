import { limits } from '../../../contract/limits.ts'
import { discoverContainer } from '../../../contract/values.ts'
import { searchBy } from '../../domain/vatoms/containers.ts'
import { checkRootType } from '../permissions.ts'
import type { Reactor } from '../reactor.ts'

/** Returns the ids of what a discover container shows the caller; changes nothing. Spec 2.4. */
export const discover: Reactor = {
  act: ({ scope, vatom }) => {
    checkRootType(vatom, discoverContainer, 'Discover needs a discover container')
    const within = { key: 'vAtom::vAtomType.parent_id', value: vatom.id } as const
    const { search, slices, idsOf } = scope.store
    const shown = search.page(searchBy(scope, { scope: within }), { limit: limits.pageMax, offset: 0 })
    return { output: { ids: idsOf(slices.atOnce(shown)) } }
  },
}
