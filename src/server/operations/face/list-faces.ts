import { readableReference } from '../../domain/references.ts'
import { listText } from '../../domain/text.ts'
import { JsonText } from '../../request/answers.ts'
import { queriedPage } from '../../request/paging.ts'
import type { Handler } from '../handlers.ts'

/** A page of the faces of a template that the publisher may read, in order of registration. Spec 2.6. */
export const listFaces: Handler<'listFaces'> = (scope, { query }) => {
  const { name: template } = readableReference(scope, query.template, 'template')
  return new JsonText(listText(scope.store.faces.page({ template, ...queriedPage(query) })))
}
