import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { discoverContainer } from '../../../contract/values.ts'
import { containersIn } from '../../domain/vatoms/containers.ts'
import { builtInOf } from '../../domain/vatoms/properties.ts'
import type { Reactor } from '../reactor.ts'

/** Answers the ids of what a discover container shows the caller; it changes nothing. Spec 2.4. */
export const discover: Reactor = {
  act: ({ scope, vatom }) => {
    const { root_type } = builtInOf(vatom)
    if (root_type !== discoverContainer)
      throw errorAt(
        'this.id',
        'invalid',
        `Discover needs a discover container: the root_type of ${vatom.id} is ${root_type}`,
      )
    const within = { key: 'vAtom::vAtomType.parent_id', value: vatom.id } as const
    const containers = containersIn(scope, { scope: within })
    const search = { caller: scope.user.id, scope: within, ...(containers && { containers }) }
    const found = scope.store.search.page(search, limits.pageMax, 0)
    return { output: { ids: found.map(({ json }) => JSON.parse(json).id) } }
  },
}
