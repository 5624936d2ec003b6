import { limits } from '../../../contract/limits.ts'
import { discoverContainer } from '../../../contract/values.ts'
import { containersIn } from '../../domain/vatoms/containers.ts'
import { checkRootType } from '../permissions.ts'
import type { Reactor } from '../reactor.ts'

/** Returns the ids of what a discover container shows the caller; changes nothing. Spec 2.4. */
export const discover: Reactor = {
  act: ({ scope, vatom }) => {
    checkRootType(vatom, discoverContainer, 'Discover needs a discover container')
    const within = { key: 'vAtom::vAtomType.parent_id', value: vatom.id } as const
    const containers = containersIn(scope, { scope: within })
    const search = { caller: scope.user.id, scope: within, ...(containers && { containers }) }
    const found = scope.store.search.page(search, limits.pageMax, 0)
    return { output: { ids: found.map(({ json }) => JSON.parse(json).id) } }
  },
}
