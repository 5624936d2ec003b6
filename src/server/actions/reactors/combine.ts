import { errorAt } from '../../../contract/api/errors.ts'
import { checkOwner } from '../../domain/access.ts'
import { targetOf } from '../../domain/moves.ts'
import type { Reactor } from '../reactor.ts'
import { moveParts, namedParts } from './parts.ts'

/** Puts vAtoms of the owner's into a folder of theirs. */
export const combine: Reactor = {
  act: (run) => {
    const { scope, vatom } = run
    checkOwner(scope, vatom)
    const named = namedParts(run)
    if (!named) throw errorAt('child.id', 'invalid', 'what is to be put into it? give child.id or vatom.ids')
    const target = targetOf(scope, vatom.id)
    if ('why' in target) throw errorAt('this.id', 'invalid', target.why)
    const parts = named.parts.filter((part) => part.parent_id !== vatom.id)
    moveParts(run, parts, target, named.key)
    return { output: { ids: named.parts.map(({ id }) => id) } }
  },
}
