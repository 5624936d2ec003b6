import type { Pattern } from '../../contract/kinds/kind.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { isObject } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import { expandFieldName, expandPublisher, placeholdPublisher } from './names.ts'

type Rename = (name: string) => string

/** Places of names in a discover query: several, with commas, in the scope; one in each filter. Spec 4.4. */
const scopeNames: Pattern = ['scope', 'value']
const filterName: Pattern = ['filters', '*', 'filter_elems', '*', 'value']
const queryFields: readonly Pattern[] = [
  ['scope', 'key'],
  ['filters', '*', 'filter_elems', '*', 'field'],
]

/** A discover query with short field names and `$publisher` expanded. */
export const expandQuery = (query: unknown, publisher: string | undefined): unknown =>
  renamedQuery(query, (name) => expandPublisher(name, publisher))

/** A publisher's document as it is sent: without `kind` and `$schema`, with short names and `$publisher` expanded. */
export const expandDocument = (kind: KindName, document: unknown, publisher: string | undefined): unknown =>
  renamed(kind, withoutOwnKeys(document), (name) => expandPublisher(name, publisher))

/** A document without the keys that are never sent. */
export function withoutOwnKeys(document: unknown): unknown {
  if (!isObject(document)) return document
  if (!Object.hasOwn(document, 'kind') && !Object.hasOwn(document, '$schema')) return document
  const { kind: _kind, $schema: _schema, ...rest } = document
  return rest
}

/** The reverse: a document with `$publisher` for the publisher's domain name, wherever that would be expanded. */
export const placeholdDocument = (kind: KindName, document: unknown, publisher: string): unknown =>
  renamed(kind, document, (name) => placeholdPublisher(name, publisher))

function renamed(kind: KindName, document: unknown, rename: Rename): unknown {
  const { names, queries } = kindOf(kind)
  const named = changedAt(document, names, textChange(rename))
  return changedAt(named, queries, (query) => renamedQuery(query, rename))
}

function renamedQuery(query: unknown, rename: Rename): unknown {
  const each = (names: string) => names.replace(/[^,\s](?:[^,]*[^,\s])?/g, rename)
  const named = changedAt(changedAt(query, [scopeNames], textChange(each)), [filterName], textChange(rename))
  return changedAt(named, queryFields, textChange(expandFieldName))
}

/** Places of names in a document of a kind. */
export const nameLocations = (kind: KindName): readonly Pattern[] => {
  const { names, queries } = kindOf(kind)
  return [...names, ...queries.flatMap((query) => [scopeNames, filterName].map((name) => [...query, ...name]))]
}

type Change = (value: unknown) => unknown

const textChange =
  (change: Rename): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value

const changedAt = (value: unknown, patterns: readonly Pattern[], change: Change): unknown =>
  patterns.reduce((changed, pattern) => changedBelow(changed, pattern, change), value)

/** A copy of a value with the values at a pattern changed. */
function changedBelow(value: unknown, [step, ...rest]: Pattern, change: Change): unknown {
  if (step === undefined) return change(value)
  if (step === '*') return Array.isArray(value) ? value.map((entry) => changedBelow(entry, rest, change)) : value
  if (!isObject(value) || !Object.hasOwn(value, step)) return value
  return { ...value, [step]: changedBelow(value[step], rest, change) }
}
