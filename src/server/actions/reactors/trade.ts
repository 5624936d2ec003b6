import { checkOwner } from '../../domain/access.ts'
import { unavailable } from '../available.ts'
import type { Reactor } from '../reactor.ts'

/** The owner offers a vAtom for another. None can be: no template makes one tradeable. Spec 2.4. */
export const trade: Reactor = {
  act: ({ scope, vatom }) => {
    checkOwner(scope, vatom)
    throw unavailable(`the vAtom ${vatom.id} is not tradeable`)
  },
}
