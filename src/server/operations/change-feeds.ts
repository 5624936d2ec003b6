import type { ChangesRequest } from '../../contract/api/change-feeds.ts'
import { isReadable } from '../domain/access.ts'
import { JsonParts } from '../domain/json-text.ts'
import type { RecordChange } from '../store/template-records.ts'
import type { TemplateRow } from '../store/templates.ts'
import type { Handler, UserScope } from './handler.ts'

/** The changes of the faces of templates since a time. */
export const listFaceChanges: Handler<'listFaceChanges'> = (scope, { body }) => changesText(scope, 'face', body)

/** The changes of the actions of templates since a time. */
export const listActionChanges: Handler<'listActionChanges'> = (scope, { body }) => changesText(scope, 'action', body)

type Kind = 'face' | 'action'
const tables = { face: 'faces', action: 'actions' } as const

/** The changes of the faces or actions of templates that the caller may see, by template. */
async function changesText(scope: UserScope, kind: Kind, { templates, since = 0 }: ChangesRequest): Promise<JsonParts> {
  return new JsonParts(changesParts(scope, kind, await visibleOf(scope, [...new Set(templates)]), since))
}

function* changesParts({ store }: UserScope, kind: Kind, names: readonly string[], since: number) {
  let separator = ''
  yield `{"${tables[kind]}_changes":{`
  for (const name of names) {
    let beginning = `${separator}${JSON.stringify(name)}:[`
    for (const change of store[tables[kind]].changesSince(name, since)) {
      yield beginning + textOf(kind)(change)
      beginning = ','
      separator = '],'
    }
  }
  yield separator === '' ? '}}' : ']}}'
}

/** Those of the templates that the caller may read, or has found a vAtom of. */
async function visibleOf(scope: UserScope, names: readonly string[]): Promise<readonly string[]> {
  const { store, user } = scope
  const rows = names.flatMap((name) => store.templates.byName(name) ?? [])
  const isOpen = (row: TemplateRow) => isReadable(scope, row) || store.vatoms.anyPublic(row.name)
  const closed = new Set(rows.filter((row) => !isOpen(row)))
  const owned = closed.size > 0 ? await store.slices.run(() => store.inventory.templatesOf(user.id), scope) : new Set()
  return rows.filter((row) => !closed.has(row) || owned.has(row.name)).map(({ name }) => name)
}

const textOf =
  (kind: Kind) =>
  ({ operation, json }: RecordChange) =>
    `{"operation":"${operation}","${kind}":${json}}`
