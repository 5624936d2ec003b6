import { JsonText } from '../../http/answers.ts'
import { queriedPage } from '../../http/paging.ts'
import { readableReference } from '../../records/references.ts'
import { listText } from '../../records/text.ts'
import type { Handler } from '../handlers.ts'

/** A page of the faces of a template that the publisher may read, in order of registration. Spec 2.6. */
export const listFaces: Handler<'listFaces'> = (scope, { query }) => {
  const { name: template } = readableReference(scope, query.template, 'template')
  return new JsonText(listText(scope.store.faces.page({ template, ...queriedPage(query) })))
}
