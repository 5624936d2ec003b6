import { writeAs } from '../../auth/current-user.ts'
import { changedFace, checkResources, ownFace } from '../../domain/face.ts'
import { propertiesOf, withProperties } from '../../domain/meta.ts'
import { ownReference } from '../../domain/references.ts'
import { checkRules } from '../../domain/rules.ts'
import type { Handler } from '../handlers.ts'

/**
 * Replaces the submitted fields of a face, whole, but constraints one by one; its template may be published. What
 * comes of it is held against the rules for a new face. Spec 2.6.
 */
export const updateFace: Handler<'updateFace'> = async (scope, input) => {
  const { id } = input
  ownFace(scope, id)
  const { body } = input
  await writeAs(scope, (scope) => {
    const { json, template } = ownFace(scope, id)
    const changed = changedFace(propertiesOf(json), body)
    checkRules(scope, 'face', { template, ...changed })
    checkResources(scope, changed, ownReference(scope, template, 'template'))
    scope.store.faces.update({ id, json: withProperties(scope, json, changed) }, scope.now)
  })
  return { success_message: `Face ${id} updated.` }
}
