import { errorAt } from '../../../contract/errors.ts'
import { timestamp } from '../../clock.ts'
import { tellChange } from '../../events/change.ts'
import { ownVatom } from '../../records/access.ts'
import { againstChange, folderAround } from '../../records/folders.ts'
import type { Handler } from '../handlers.ts'

/** Takes a vAtom of the caller's, with what is in it, out of everybody's reach. */
export const trashVatom: Handler<'trashVatom'> = async (scope, { body }) => {
  const id = body['this.id']
  await scope.store.write(() => {
    const { store, now } = scope
    const vatom = ownVatom(scope, id)
    const why = againstChange(store, folderAround(store, vatom), vatom.template_variation, -1)
    if (why) throw errorAt('this.id', 'invalid', `the vAtom cannot be trashed where it is: ${why}`)
    const before = store.vatoms.withContents(id)
    store.vatoms.trash(id, timestamp(now))
    for (const was of before) {
      const is = store.vatoms.byId(was.id)
      if (is) tellChange(scope, 'Trash', was, is)
    }
  })
  return { success_message: `vAtom ${id} trashed.` }
}
