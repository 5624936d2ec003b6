import type { ChangesRequest } from '../../contract/api/change-feeds.ts'
import { isThereFor } from '../domain/access.ts'
import { JsonText, listText } from '../domain/json-text.ts'
import type { RecordChange } from '../store/template-records.ts'
import type { Handler, UserScope } from './handler.ts'

/** The changes of the faces of templates since a time. */
export const listFaceChanges: Handler<'listFaceChanges'> = (scope, { body }) => changesText(scope, 'face', body)

/** The changes of the actions of templates since a time. */
export const listActionChanges: Handler<'listActionChanges'> = (scope, { body }) => changesText(scope, 'action', body)

type Kind = 'face' | 'action'
const tables = { face: 'faces', action: 'actions' } as const

/** The changes of the faces or actions of templates that the caller may see, by template. */
function changesText(scope: UserScope, kind: Kind, { templates, since = 0 }: ChangesRequest): JsonText {
  const members = [...new Set(templates)].flatMap((name) => {
    const template = scope.store.templates.byName(name)
    const changes = template && isThereFor(scope, template) ? scope.store[tables[kind]].changesSince(name, since) : []
    return changes.length > 0 ? [`${JSON.stringify(name)}:${listText(changes.map(textOf(kind)))}`] : []
  })
  return new JsonText(`{"${tables[kind]}_changes":{${members.join(',')}}}`)
}

const textOf =
  (kind: Kind) =>
  ({ operation, json }: RecordChange) =>
    `{"operation":"${operation}","${kind}":${json}}`
