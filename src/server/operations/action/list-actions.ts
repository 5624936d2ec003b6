import { JsonText, listText } from '../../domain/json-text.ts'
import { queriedPage } from '../../domain/paging.ts'
import { readableReference } from '../../domain/references.ts'
import type { Handler } from '../handlers.ts'

/** A page of the actions of a template that the publisher may read, in order of registration. */
export const listActions: Handler<'listActions'> = (scope, { query }) => {
  const { name: template } = readableReference(scope, query.template, 'template')
  return new JsonText(listText(scope.store.actions.page({ template, ...queriedPage(query) })))
}
