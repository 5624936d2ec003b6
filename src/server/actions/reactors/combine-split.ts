import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { packageContainer } from '../../../contract/values.ts'
import { visibleVatom } from '../../domain/access.ts'
import { timestamp } from '../../domain/clock.ts'
import { checkContents, rowsMoved } from '../../domain/vatoms/contents.ts'
import {
  againstChange,
  againstMove,
  type Destination,
  type Folder,
  folderAround,
  outside,
  targetOf,
} from '../../domain/vatoms/folders.ts'
import type { Steps } from '../../store/slices.ts'
import type { Store } from '../../store/store.ts'
import type { VatomRow } from '../../store/vatoms/vatoms.ts'
import { checkRootType } from '../permissions.ts'
import type { Outcome, Reactor, Run } from '../reactor.ts'
import { change, publishChanged } from '../vatom-change.ts'

/** Moves vAtoms of the owner into a folder of theirs. */
export const combine: Reactor = {
  forOwner: true,
  rows: (store, _, input) => rowsMoved(store, namedIds(input) ?? []),
  *act(run) {
    const { scope, vatom } = run
    const named = namedParts(run)
    if (!named) throw errorAt('child.id', 'invalid', 'give the vAtoms to put into it: child.id or vatom.ids')
    const target = targetOf(scope, vatom.id)
    if ('why' in target) throw errorAt('this.id', 'invalid', target.why)
    const parts = named.parts.filter((part) => part.parent_id !== vatom.id)
    yield* checkAllIn(run, parts, named.key)
    yield* moveParts(run, parts, target, named.key)
    return { output: { ids: named.parts.map(({ id }) => id) } }
  },
}

/** Takes vAtoms out of a folder, one level up: those that are named, else all of them. */
export const split: Reactor = {
  forOwner: true,
  rows: (store, { id }, input) => rowsMoved(store, namedIds(input) ?? [id]),
  *act(run) {
    const named = namedParts(run)
    if (!named) return yield* uncombine.act(run)
    const other = named.parts.find(({ parent_id }) => parent_id !== run.vatom.id)
    if (other) throw errorAt(named.key, 'invalid', `${other.id} is not in ${run.vatom.id}`)
    yield* checkAllIn(run, named.parts, named.key)
    return yield* takenOut(run, [named.parts], named.key)
  },
}

/** Takes everything out of a folder, one level up. */
export const uncombine: Reactor = {
  forOwner: true,
  rows: rowsMovedOutOf,
  *act(run) {
    yield* checkAllIn(run, [run.vatom], 'this.id')
    return yield* takenOut(run, run.scope.store.vatoms.contents(run.vatom.id), 'this.id')
  },
}

/** Refuses to change vAtoms that a key of the request names if too much is in them. */
const checkAllIn = ({ scope: { store } }: Run, vatoms: readonly VatomRow[], path: string): Steps<number> =>
  checkContents({ store, ids: vatoms.map(({ id }) => id), path })

function* takenOut(run: Run, lists: Iterable<readonly VatomRow[]>, key: string): Steps<Outcome> {
  const { store } = run.scope
  const to = outside(store, folderAround(store, run.vatom))
  const ids: string[] = []
  for (const parts of lists) {
    yield* moveParts(run, parts, to, key)
    ids.push(...parts.map(({ id }) => id))
  }
  return { output: { ids } }
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

/** The ids that a request names; undefined where they are no list of ids. */
const namedIds = (input: Run['input']) => listed(input[several] ?? input[one])?.slice(0, limits.ids)

function rowsMovedOutOf(store: Store, { id }: VatomRow): number {
  return rowsMoved(store, [id])
}

const isId = (id: unknown): id is string => typeof id === 'string' && id !== ''

/** The ids in a value of a request, of a text one more than it may name at most; undefined where it is no list of ids. */
function listed(given: unknown): readonly string[] | undefined {
  const ids: unknown = typeof given === 'string' ? given.split(',', limits.ids + 1).map((id) => id.trim()) : given
  return Array.isArray(ids) && ids.length > 0 && ids.every(isId) ? ids : undefined
}

function idsIn(given: unknown, key: string): readonly string[] {
  const ids = listed(given)
  if (ids && ids.length <= limits.ids) return [...new Set(ids)]
  if (ids) throw errorAt(key, 'invalid', `${key} names at most ${limits.ids} vAtoms`)
  throw errorAt(key, 'invalid', `${key} must be the id of a vAtom${key === several ? ', or a list of ids' : ''}`)
}

/** Moves vAtoms, all or none. Throws `invalid` at a key of the request where one may not be moved. */
function* moveParts(run: Run, parts: readonly VatomRow[], to: Destination, key: string): Steps<void> {
  const { scope, name } = run
  for (const vatom of parts) {
    const why = againstMove(scope, vatom, to)
    if (why) throw errorAt(key, 'invalid', `${vatom.id}: ${why}`)
    yield* change({ scope, name, vatom }, scope.store.vatoms.move([vatom.id], to.folder, timestamp(scope.now)))
    to.folders.moved(vatom, to.folder.id)
    yield
  }
}

/** Opens a package: its contents take its place, and it is trashed. Returns the ids of what came out. Spec 2.4. */
export const open: Reactor = {
  forOwner: true,
  rows: rowsMovedOutOf,
  *act(run) {
    const { scope, vatom } = run
    checkRootType(vatom, packageContainer, 'only a package can be opened')
    yield* checkAllIn(run, [vatom], 'this.id')
    const { vatoms } = scope.store
    const place = folderAround(scope.store, vatom)
    yield* checkPlace(scope.store, place, vatom)
    const now = timestamp(scope.now)
    vatoms.trashAlone([vatom], now)
    publishChanged(run)
    const ids: string[] = []
    for (const some of vatoms.contents(vatom.id))
      for (const one of some) {
        yield* change({ ...run, vatom: one }, vatoms.move([one.id], place, now))
        ids.push(one.id)
        yield
      }
    return { output: { ids } }
  },
}

/** Refuses if the package is in a defined folder whose rules do not allow its contents there. */
function* checkPlace(store: Store, place: Folder, opened: VatomRow): Steps<void> {
  const changes = new Map([[opened.template_variation, -1]])
  for (const some of store.vatoms.contents(opened.id)) {
    for (const { template_variation: name } of some) changes.set(name, (changes.get(name) ?? 0) + 1)
    yield
  }
  for (const [variation, change] of changes) {
    const why = againstChange(store.vatoms, place, variation, change)
    if (why) throw errorAt('this.id', 'invalid', `the package cannot be opened where it is: ${why}`)
  }
}
