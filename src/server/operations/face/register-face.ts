import { randomUUID } from 'node:crypto'
import { writeAs } from '../../auth/current-user.ts'
import { checkNoneAlike, checkResources, faceText } from '../../domain/face.ts'
import { checkRoom, ownReference } from '../../domain/references.ts'
import { checkRules } from '../../domain/rules.ts'
import type { Handler } from '../handlers.ts'

/** Registers a face for the publisher's template, a draft or a published one. Spec 4.5. */
export const registerFace: Handler<'registerFace'> = async (scope, { body, unlessThere }) => {
  checkRules(scope, 'face', body)
  const { template } = body
  const id = randomUUID()
  await writeAs(scope, (scope) => {
    checkResources(scope, body, ownReference(scope, template, 'template'))
    checkRoom(scope, 'faces', template, 'template')
    if (unlessThere) checkNoneAlike(scope, body)
    scope.store.faces.insert({ id, template, json: faceText(scope, id, body) }, scope.now)
  })
  return { success_message: `Face ${id} registered for template ${template}.` }
}
