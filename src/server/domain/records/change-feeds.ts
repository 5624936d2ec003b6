import type { ChangesRequest } from '../../../contract/api/change-feeds.ts'
import type { RecordChange } from '../../store/template-records.ts'
import { isThereFor } from '../access.ts'
import type { ByUser } from '../caller.ts'
import { JsonText, listText } from '../json-text.ts'

type Noun = 'face' | 'action'
const resources = { face: 'faces', action: 'actions' } as const

/** What became of the faces or actions of templates that the caller may know of, by template. */
export function changesText(scope: ByUser, noun: Noun, { templates, since = 0 }: ChangesRequest): JsonText {
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
