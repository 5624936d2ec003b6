import type { ChangesRequest } from '../../contract/api/change-feeds.ts'
import { isReadable } from '../domain/access.ts'
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
  const members = visibleOf(scope, [...new Set(templates)]).flatMap((name) => {
    const changes = scope.store[tables[kind]].changesSince(name, since)
    return changes.length > 0 ? [`${JSON.stringify(name)}:${listText(changes.map(textOf(kind)))}`] : []
  })
  return new JsonText(`{"${tables[kind]}_changes":{${members.join(',')}}}`)
}

/** Those of the templates that the caller may read, or has found a vAtom of. */
function visibleOf(scope: UserScope, names: readonly string[]): readonly string[] {
  const { store, user } = scope
  const found = store.vatoms.foundOf(user.id, names)
  return names.filter((name) => {
    const template = store.templates.byName(name)
    return template !== undefined && (isReadable(scope, template) || found.has(name))
  })
}

const textOf =
  (kind: Kind) =>
  ({ operation, json }: RecordChange) =>
    `{"operation":"${operation}","${kind}":${json}}`
