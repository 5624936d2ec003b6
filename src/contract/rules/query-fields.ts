import { at, listAt, type Path } from '../schema/path.ts'
import { extraSearchFields, filterFields, privatePrefix, scopeKeys, vatomType } from '../values.ts'
import type { Rule } from './rule.ts'

/** A scope key or a filter field of a query, and its place in the query. */
interface Searched {
  readonly path: Path
  readonly field: string
}

/** What a query of any shape searches that can be searched and that the specification does not list. Spec 4.4. */
export const unlistedFields = (query: unknown): Searched[] => [
  ...unlisted(['scope', 'key'], at(query, 'scope', 'key'), scopeKeys),
  ...listAt(query, 'filters').flatMap((group, index) =>
    listAt(group, 'filter_elems').flatMap((element, position) =>
      unlisted(['filters', index, 'filter_elems', position, 'field'], at(element, 'field'), filterFields),
    ),
  ),
]

const searchable: readonly string[] = [...scopeKeys, ...filterFields, ...extraSearchFields]

function unlisted(path: Path, field: unknown, listed: readonly string[]): Searched[] {
  if (typeof field !== 'string' || listed.includes(field)) return []
  return searchable.includes(field) || field.startsWith(privatePrefix) ? [{ path, field }] : []
}

/** What is wrong with a field that the specification does not list. */
export const unlistedMessage = (field: string): string =>
  `${field} is not a search field of the specification: a service may refuse the search`

/** The query of a container, which is final once it is published, searches what every service knows. */
export const queryFields: Rule = {
  name: 'query-fields',
  spec: '4.4',
  kinds: ['template', 'variation'],
  severity: 'warning',
  summary: 'a query has only scope keys and filter fields that the specification lists: a service may refuse others',
  check: (document) =>
    unlistedFields(at(document, ...vatomType, 'query')).map(({ path, field }) => ({
      path: [...vatomType, 'query', ...path],
      message: unlistedMessage(field),
    })),
}
