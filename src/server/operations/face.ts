import { own, readable } from '../domain/access.ts'
import { writeAs, writeInStepsAs } from '../domain/caller.ts'
import { eachPart, JsonParts } from '../domain/json-text.ts'
import { queriedPage } from '../domain/paging.ts'
import { checkCatalog } from '../domain/records/catalog-label.ts'
import { changedFace, checkNoneAlike, checkResources, faceText, ownFace } from '../domain/records/face.ts'
import { propertiesOf, withProperties } from '../domain/records/meta.ts'
import { checkRules } from '../domain/records/rules.ts'
import { checkRoom, checkSize, referenced } from '../domain/records/template.ts'
import type { Handler } from './handler.ts'

/** Registers a face for the publisher's template, a draft or a published one. Spec 4.5. */
export const registerFace: Handler<'registerFace'> = async (scope, { body, unlessThere }) => {
  checkRules(scope, 'face', body)
  const { template } = body
  const id = scope.store.random.uuid()
  await writeInStepsAs(scope, 1, function* (scope) {
    checkResources(scope, body, own(scope, referenced(scope, template, 'template')))
    checkRoom(scope, 'faces', template, 'template')
    if (unlessThere) yield* checkNoneAlike(scope, body)
    const json = faceText(scope, id, body)
    checkSize(scope, 'faces', template, { json })
    scope.store.faces.insert({ id, template, json }, scope.now)
  })
  return { success_message: `Face ${id} registered for template ${template}.` }
}

/** A page of the faces of a template that the publisher may read, in order of registration. Spec 2.6. */
export const listFaces: Handler<'listFaces'> = (scope, { query }) => {
  const { name: template } = readable(scope, referenced(scope, query.template, 'template'))
  return new JsonParts(eachPart(scope.store.faces.page({ template, ...queriedPage(query) }), ({ json }) => json))
}

/**
 * Replaces the submitted fields of a face as a whole, constraints one by one; its template may be published. The result
 * is checked as a new face is. Spec 2.6.
 */
export const updateFace: Handler<'updateFace'> = async (scope, input) => {
  const { id } = input
  ownFace(scope, id)
  const { body } = input
  await writeAs(scope, (scope) => {
    const { json: before, template } = ownFace(scope, id)
    checkCatalog(scope, { kind: 'face', key: id }, input.query)
    const changed = changedFace(propertiesOf(before), body)
    checkRules(scope, 'face', { template, ...changed })
    checkResources(scope, changed, own(scope, referenced(scope, template, 'template')))
    const json = withProperties(scope, before, changed)
    checkSize(scope, 'faces', template, { json, before })
    scope.store.faces.update({ id, json }, scope.now)
  })
  return { success_message: `Face ${id} updated.` }
}

/** Removes a face; its template may be published. Spec 2.6. */
export const deleteFace: Handler<'deleteFace'> = async (scope, { id, query }) => {
  await writeAs(scope, (scope) => {
    const row = ownFace(scope, id)
    checkCatalog(scope, { kind: 'face', key: id }, query)
    scope.store.faces.remove(row, scope.now)
  })
  return { success_message: `Face ${id} deleted.` }
}
