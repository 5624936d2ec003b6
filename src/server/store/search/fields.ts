import { privatePrefix } from '../../../contract/values.ts'

/** What a search compares: a column with text or a truth value, or a custom property of any type. */
export type Field =
  | { readonly kind: 'text'; readonly column: string }
  | { readonly kind: 'truth'; readonly column: string }
  | { readonly kind: 'custom'; readonly jsonPath: string }

const text = (column: string): Field => ({ kind: 'text', column })
const truth = (column: string): Field => ({ kind: 'truth', column })

const columns: Readonly<Record<string, Field>> = {
  id: text('id'),
  'vAtom::vAtomType.publisher_fqdn': text('publisher_fqdn'),
  'vAtom::vAtomType.template': text('template'),
  'vAtom::vAtomType.template_variation': text('template_variation'),
  'vAtom::vAtomType.owner': text('owner'),
  'vAtom::vAtomType.author': text('author'),
  'vAtom::vAtomType.parent_id': text('parent_id'),
  'vAtom::vAtomType.category': text('category'),
  'vAtom::vAtomType.visibility_type': text('visibility_type'),
  'vAtom::vAtomType.visibility.type': text('visibility_type'),
  'vAtom::vAtomType.in_contract': truth('in_contract'),
  'vAtom::vAtomType.acquirable': truth('acquirable'),
  'vAtom::vAtomType.acquireable': truth('acquirable'),
}

/** The field of a scope key or a filter; names have been checked. Spec 4.4. */
export function fieldNamed(name: string): Field {
  if (!name.startsWith(privatePrefix)) {
    const found = columns[name]
    if (!found) throw new Error(`${name} cannot be searched`)
    return found
  }
  const steps = name.slice(privatePrefix.length).split('.')
  return { kind: 'custom', jsonPath: ['$.private', ...steps.map((step) => JSON.stringify(step))].join('.') }
}
