import { isObject } from '../contract/path.ts'
import type { Kind } from '../contract/values.ts'
import { expandFieldName, expandPublisher } from './names.ts'

type Change = (value: unknown) => unknown

/** A changed copy of an object: named members, where present, pass through their change. */
const members =
  (changes: Readonly<Record<string, Change>>): Change =>
  (value) => {
    if (!isObject(value)) return value
    const found = Object.entries(changes).filter(([key]) => Object.hasOwn(value, key))
    if (found.length === 0) return value
    return { ...value, ...Object.fromEntries(found.map(([key, change]) => [key, change(value[key])])) }
  }
const each =
  (change: Change): Change =>
  (value) =>
    Array.isArray(value) ? value.map(change) : value
const string =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value

const fieldName = string(expandFieldName)
const publisherIn = (publisher: string | undefined) => string((name) => expandPublisher(name, publisher))
const publishersIn = (publisher: string | undefined) =>
  string((names) =>
    names
      .split(',')
      .map((name) => expandPublisher(name, publisher))
      .join(','),
  )

/** A discover query with short field names and `$publisher` written out. */
export const expandQuery = (query: unknown, publisher: string | undefined): unknown =>
  members({
    scope: members({ key: fieldName, value: publishersIn(publisher) }),
    filters: each(members({ filter_elems: each(members({ field: fieldName, value: publisherIn(publisher) })) })),
  })(query)

/** A publisher's document with short names and `$publisher` written out; the input is left as it is. */
export function expandDocument(kind: Kind, document: unknown, publisher: string | undefined): unknown {
  const name = publisherIn(publisher)
  const names = each(name)
  if (kind === 'action') return members({ name, policy: members({ pre: names, post: names }) })(document)
  return members({
    template: name,
    template_variation: name,
    vatom: members({
      'vAtom::vAtomType': members({
        query: (query) => expandQuery(query, publisher),
        child_policy: each(members({ template_variation: name })),
      }),
    }),
  })(document)
}
