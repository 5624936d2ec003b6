import { JsonText, listText } from '../../domain/json-text.ts'
import { queriedPage } from '../../domain/paging.ts'
import { readableReference } from '../../domain/references.ts'
import type { Handler } from '../handlers.ts'

/** A page of the faces of a template that the publisher may read, in order of registration. Spec 2.6. */
export const listFaces: Handler<'listFaces'> = (scope, { query }) => {
  const { name: template } = readableReference(scope, query.template, 'template')
  return new JsonText(listText(scope.store.faces.page({ template, ...queriedPage(query) })))
}
