import { writeAs } from '../../auth/current-user.ts'
import { ownFace } from '../../domain/face.ts'
import type { Handler } from '../handlers.ts'

/** Removes a face; its template may be published. Spec 2.6. */
export const deleteFace: Handler<'deleteFace'> = async (scope, { id }) => {
  await writeAs(scope, (scope) => {
    scope.store.faces.remove(ownFace(scope, id), scope.now)
  })
  return { success_message: `Face ${id} deleted.` }
}
