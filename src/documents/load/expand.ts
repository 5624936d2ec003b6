import { isObject } from '../../contract/schema/path.ts'
import type { Kind } from '../../contract/values.ts'
import { expandFieldName, expandPublisher, placeholdPublisher } from './names.ts'

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

/** What names are changed to: each alone, and in lists between commas. */
type Rename = (name: string) => string
const renamedIn = (rename: Rename) => string(rename)
const eachRenamed = (rename: Rename) =>
  string((names) =>
    names
      .split(',')
      .map((name) => rename(name))
      .join(','),
  )
const expanding =
  (publisher: string | undefined): Rename =>
  (name) =>
    expandPublisher(name, publisher)

const renameQuery = (query: unknown, rename: Rename): unknown =>
  members({
    scope: members({ key: fieldName, value: eachRenamed(rename) }),
    filters: each(members({ filter_elems: each(members({ field: fieldName, value: renamedIn(rename) })) })),
  })(query)

/** A discover query with short field names and `$publisher` written out. */
export const expandQuery = (query: unknown, publisher: string | undefined): unknown =>
  renameQuery(query, expanding(publisher))

/** A publisher's document with short names and `$publisher` written out; the input is left as it is. */
export const expandDocument = (kind: Kind, document: unknown, publisher: string | undefined): unknown =>
  renameDocument(kind, document, expanding(publisher))

/** The other way: a document with `$publisher` in the place of the publisher's domain name, wherever that is expanded. */
export const placeholdDocument = (kind: Kind, document: unknown, publisher: string): unknown =>
  renameDocument(kind, document, (name) => placeholdPublisher(name, publisher))

function renameDocument(kind: Kind, document: unknown, rename: Rename): unknown {
  const name = renamedIn(rename)
  const names = each(name)
  if (kind === 'action') return members({ name, policy: members({ pre: names, post: names }) })(document)
  return members({
    template: name,
    template_variation: name,
    vatom: members({
      'vAtom::vAtomType': members({
        query: (query) => renameQuery(query, rename),
        child_policy: each(members({ template_variation: name })),
      }),
    }),
  })(document)
}
