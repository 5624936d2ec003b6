import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { packageContainer } from '../../../contract/values.ts'
import { visibleVatom } from '../../domain/access.ts'
import { timestamp } from '../../domain/clock.ts'
import {
  againstChange,
  againstMove,
  type Destination,
  type Folder,
  folderAround,
  targetOf,
} from '../../domain/vatoms/folders.ts'
import type { Store } from '../../store/store.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import { checkRootType } from '../permissions.ts'
import type { Outcome, Reactor, Run } from '../reactor.ts'
import { change } from '../vatom-change.ts'

/** Moves vAtoms of the owner into a folder of theirs. */
export const combine: Reactor = {
  forOwner: true,
  act: (run) => {
    const { scope, vatom } = run
    const named = namedParts(run)
    if (!named) throw errorAt('child.id', 'invalid', 'give the vAtoms to put into it: child.id or vatom.ids')
    const target = targetOf(scope, vatom.id)
    if ('why' in target) throw errorAt('this.id', 'invalid', target.why)
    const parts = named.parts.filter((part) => part.parent_id !== vatom.id)
    moveParts(run, parts, target, named.key)
    return { output: { ids: named.parts.map(({ id }) => id) } }
  },
}

/** Takes vAtoms out of a folder, one level up: those that are named, else all of them. */
export const split: Reactor = {
  forOwner: true,
  act: (run) => {
    const named = namedParts(run)
    if (!named) return uncombine.act(run)
    const other = named.parts.find(({ parent_id }) => parent_id !== run.vatom.id)
    if (other) throw errorAt(named.key, 'invalid', `${other.id} is not in ${run.vatom.id}`)
    return takenOut(run, named.parts, named.key)
  },
}

/** Takes everything out of a folder, one level up. */
export const uncombine: Reactor = {
  forOwner: true,
  act: (run) => takenOut(run, contentsOf(run), 'this.id'),
}

const contentsOf = ({ scope, vatom }: Run): VatomRow[] => scope.store.vatoms.contents(vatom.id)

function takenOut(run: Run, parts: readonly VatomRow[], key: string): Outcome {
  const { scope, vatom } = run
  // One level up is never inside what is moved.
  moveParts(run, parts, { folder: folderAround(scope.store, vatom), above: new Set() }, key)
  return { output: { ids: parts.map(({ id }) => id) } }
}

const one = 'child.id'
const several = 'vatom.ids'

/** The vAtoms that `child.id` or `vatom.ids` names, and that key; undefined if the request has neither. */
function namedParts({ scope, input }: Run): { readonly key: string; readonly parts: VatomRow[] } | undefined {
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
  throw errorAt(key, 'invalid', `${key} must be the id of a vAtom${key === several ? ', or a list of ids' : ''}`)
}

/** Moves vAtoms, all or none. Throws `invalid` at a key of the request where one may not be moved. */
function moveParts(run: Run, parts: readonly VatomRow[], to: Destination, key: string): void {
  const { scope, name } = run
  for (const vatom of parts) {
    const why = againstMove(scope, vatom, to)
    if (why) throw errorAt(key, 'invalid', `${vatom.id}: ${why}`)
    change({ scope, name, vatom }, () => scope.store.vatoms.move([vatom.id], to.folder, timestamp(scope.now)))
  }
}

type OfVariation = Pick<VatomRow, 'template_variation'>

/** Opens a package: its contents take its place, and it is trashed. Returns the ids of what came out. Spec 2.4. */
export const open: Reactor = {
  forOwner: true,
  act: (run) => {
    const { scope, vatom } = run
    checkRootType(vatom, packageContainer, 'only a package can be opened')
    const contents = scope.store.vatoms.contents(vatom.id)
    const place = folderAround(scope.store, vatom)
    checkPlace(scope.store, place, vatom, contents)
    const ids = contents.map(({ id }) => id)
    const now = timestamp(scope.now)
    change(run, () => {
      scope.store.vatoms.move(ids, place, now)
      scope.store.vatoms.trash(vatom.id, now)
    })
    return { output: { ids } }
  },
}

/** Refuses if the package is in a defined folder whose rules do not allow its contents there. */
function checkPlace(store: Store, place: Folder, opened: OfVariation, contents: readonly OfVariation[]): void {
  const changes = new Map([[opened.template_variation, -1]])
  for (const { template_variation: name } of contents) changes.set(name, (changes.get(name) ?? 0) + 1)
  for (const [variation, change] of changes) {
    const why = againstChange(store, place, variation, change)
    if (why) throw errorAt('this.id', 'invalid', `the package cannot be opened where it is: ${why}`)
  }
}
