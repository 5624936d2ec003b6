import { errorAt } from '../../../contract/api/errors.ts'
import { packageContainer } from '../../../contract/values.ts'
import { timestamp } from '../../clock.ts'
import { checkOwner } from '../../domain/access.ts'
import { againstChange, builtInOf, type Folder, folderAround } from '../../domain/folders.ts'
import type { Store } from '../../store/store.ts'
import type { VatomRow } from '../../store/vatoms.ts'
import { change } from '../change-set.ts'
import type { Reactor } from '../reactor.ts'

type OfVariation = Pick<VatomRow, 'template_variation'>

/** Opens a package: its contents take its place, and it is trashed. Answers the ids of what came out. Spec 2.4. */
export const open: Reactor = {
  act: (run) => {
    const { scope, vatom } = run
    checkOwner(scope, vatom)
    const { root_type } = builtInOf(vatom)
    if (root_type !== packageContainer)
      throw errorAt('this.id', 'invalid', `only a package can be opened: the root_type of ${vatom.id} is ${root_type}`)
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

/** Refuses what the rules of a defined folder do not let take the place of a package that is in it. */
function checkPlace(store: Store, place: Folder, opened: OfVariation, contents: readonly OfVariation[]): void {
  const changes = new Map([[opened.template_variation, -1]])
  for (const { template_variation: name } of contents) changes.set(name, (changes.get(name) ?? 0) + 1)
  for (const [variation, change] of changes) {
    const why = againstChange(store, place, variation, change)
    if (why) throw errorAt('this.id', 'invalid', `the package cannot be opened where it is: ${why}`)
  }
}
