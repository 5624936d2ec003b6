import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { timestamp } from '../../clock.ts'
import { visibleVatom } from '../../domain/access.ts'
import { againstMove, type Destination } from '../../domain/moves.ts'
import type { VatomRow } from '../../store/vatoms.ts'
import { change } from '../change-set.ts'
import type { Run } from '../reactor.ts'

const one = 'child.id'
const several = 'vatom.ids'

/** The vAtoms that `child.id` or `vatom.ids` names, with the key that does; undefined where neither is given. */
export function namedParts({ scope, input }: Run): { readonly key: string; readonly parts: VatomRow[] } | undefined {
  const key = [several, one].find((name) => input[name] !== undefined)
  if (key === undefined) return undefined
  const parts = idsIn(input[key], key).map((id) => visibleVatom(scope, id))
  return { key, parts }
}

function idsIn(given: unknown, key: string): readonly string[] {
  const ids = typeof given === 'string' ? given.split(',').map((id) => id.trim()) : given
  const isList = Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string' && id !== '')
  if (isList && ids.length <= limits.ids) return [...new Set<string>(ids)]
  if (isList) throw errorAt(key, 'invalid', `${key} names at most ${limits.ids} vAtoms`)
  throw errorAt(key, 'invalid', `${key} must be the id of a vAtom${key === several ? ', or a list of such' : ''}`)
}

/** Moves vAtoms, all or none. Throws `invalid` at a key of the request where one may not be moved. */
export function moveParts(run: Run, parts: readonly VatomRow[], to: Destination, key: string): void {
  const { scope, name } = run
  for (const vatom of parts) {
    const why = againstMove(scope, vatom, to)
    if (why) throw errorAt(key, 'invalid', `${vatom.id}: ${why}`)
    change({ scope, name, vatom }, () => scope.store.vatoms.move([vatom.id], to.folder, timestamp(scope.now)))
  }
}
