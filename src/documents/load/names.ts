import {
  extraSearchFields,
  filterFields,
  privatePrefix,
  publisherPlaceholder,
  scopeKeys,
} from '../../contract/values.ts'

const prefix = 'vAtom::vAtomType.'
const complete: ReadonlySet<string> = new Set([...filterFields, ...scopeKeys, ...extraSearchFields])

/**
 * The full name of a search field: `owner` becomes `vAtom::vAtomType.owner`. Names that are complete, custom
 * (`private.colour`) or not valid names stay as they are.
 */
export function expandFieldName(name: string): string {
  if (complete.has(name) || name.startsWith(privatePrefix)) return name
  return /^[a-z_]+(\.[a-z_]+)*$/i.test(name) ? prefix + name : name
}

/** A name with `$publisher` at its start replaced by the publisher's domain name, when that is known. */
export function expandPublisher(name: string, publisher: string | undefined): string {
  if (publisher === undefined || !name.startsWith(publisherPlaceholder)) return name
  const rest = name.slice(publisherPlaceholder.length)
  return rest === '' || rest.startsWith('::') ? publisher + rest : name
}

/** The reverse: a name of the publisher with `$publisher` for its domain name. */
export const placeholdPublisher = (name: string, publisher: string): string =>
  name === publisher || name.startsWith(`${publisher}::`) ? publisherPlaceholder + name.slice(publisher.length) : name
