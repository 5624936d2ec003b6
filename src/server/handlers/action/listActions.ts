import { JsonText } from '../../http/answers.ts'
import { queriedPage } from '../../http/paging.ts'
import { readableReference } from '../../records/references.ts'
import { listText } from '../../records/text.ts'
import type { Handler } from '../handlers.ts'

/** A page of the actions of a template that the publisher may read, in order of registration. */
export const listActions: Handler<'listActions'> = (scope, { query }) => {
  const { name: template } = readableReference(scope, query.template, 'template')
  return new JsonText(listText(scope.store.actions.page({ template, ...queriedPage(query) })))
}
