import type { ChangesRequest } from '../../contract/api/change-feeds.ts'
import type { UserScope } from '../operations/handler.ts'
import type { RecordChange } from '../store/template-records.ts'
import type { TemplateRow } from '../store/templates.ts'
import { JsonText, listText } from './json-text.ts'
import { isOwn } from './rules.ts'

type Noun = 'face' | 'action'
const resources = { face: 'faces', action: 'actions' } as const

/** What became of the faces or actions of templates that the caller may know of, by template. */
export function changesText(scope: UserScope, noun: Noun, { templates, since = 0 }: ChangesRequest): JsonText {
  const members = [...new Set(templates)].flatMap((name) => {
    const template = scope.store.templates.byName(name)
    const changes =
      template && isThereFor(scope, template) ? scope.store[resources[noun]].changesSince(name, since) : []
    return changes.length > 0 ? [`${JSON.stringify(name)}:${listText(changes.map(textOf(noun)))}`] : []
  })
  return new JsonText(`{"${resources[noun]}_changes":{${members.join(',')}}}`)
}

const textOf =
  (noun: Noun) =>
  ({ operation, json }: RecordChange) =>
    `{"operation":"${operation}","${noun}":${json}}`

/** Whether a template is there for a viewer: a draft for its publisher, and for who owns a vAtom of it. */
export const isThereFor = (scope: UserScope, template: TemplateRow): boolean =>
  template.unpublished === 0 || isOwn(scope, template) || scope.store.vatoms.ownsAny(scope.user.id, template.name)
