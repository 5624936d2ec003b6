import { at, isObject, listAt } from '../../../contract/schema/path.ts'
import { checkOwner } from '../../domain/access.ts'
import { builtInOf } from '../../domain/folders.ts'
import { rewrite } from '../../domain/rewrite.ts'
import { change } from '../change-set.ts'
import type { Reactor } from '../reactor.ts'

/** The owner sets the state Activated of a vAtom; one that is activated stays as it is. Spec 2.4. */
export const activate: Reactor = {
  act: (run) => {
    const { scope, vatom } = run
    checkOwner(scope, vatom)
    const states = listAt(builtInOf(vatom), 'states')
    if (states.every(isActivated)) return { output: {} }
    change(run, () => rewrite(scope, vatom, { type: { states: states.map(activated) } }))
    return { output: {} }
  },
}

/** There is no state but Activated, and that is the only one so named. Spec 2.4. */
const isActivated = (state: unknown) => at(state, 'value', 'value') === 'true'

const activated = (state: unknown): unknown =>
  isObject(state) ? { ...state, value: { type: 'boolean', value: 'true' } } : state
