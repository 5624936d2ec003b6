import { errorAt } from '../../../contract/api/errors.ts'
import { checkOwner } from '../../domain/access.ts'
import { folderAround } from '../../domain/folders.ts'
import type { VatomRow } from '../../store/vatoms.ts'
import type { Outcome, Reactor, Run } from '../reactor.ts'
import { moveParts, namedParts } from './parts.ts'

/** Takes vAtoms out of a folder, one level up: those that are named, else all of them. */
export const split: Reactor = {
  act: (run) => {
    checkOwner(run.scope, run.vatom)
    const named = namedParts(run)
    if (!named) return takenOut(run, contentsOf(run), 'this.id')
    const other = named.parts.find(({ parent_id }) => parent_id !== run.vatom.id)
    if (other) throw errorAt(named.key, 'invalid', `${other.id} is not in ${run.vatom.id}`)
    return takenOut(run, named.parts, named.key)
  },
}

/** Takes everything out of a folder, one level up. */
export const uncombine: Reactor = {
  act: (run) => {
    checkOwner(run.scope, run.vatom)
    return takenOut(run, contentsOf(run), 'this.id')
  },
}

const contentsOf = ({ scope, vatom }: Run): VatomRow[] => scope.store.vatoms.contents(vatom.id)

function takenOut(run: Run, parts: readonly VatomRow[], key: string): Outcome {
  const { scope, vatom } = run
  // Up is out of the folder: nothing is put into itself.
  moveParts(run, parts, { folder: folderAround(scope.store, vatom), above: new Set() }, key)
  return { output: { ids: parts.map(({ id }) => id) } }
}
