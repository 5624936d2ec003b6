import { at, listAt, type Path } from '../schema/path.ts'
import { type KindName, vatomType, vatomTypeKey } from '../values.ts'

/** A template or variation that the query of a discover container names, and its place in the document. */
export interface QueriedName {
  readonly path: Path
  readonly kind: KindName
  readonly name: string
}

const queried: ReadonlyMap<unknown, KindName> = new Map([
  [`${vatomTypeKey}.template`, 'template'],
  [`${vatomTypeKey}.template_variation`, 'variation'],
])

const query = [...vatomType, 'query'] as const

/** The names that a query of any shape is compared with as wholes: several in its scope, one in each filter. Spec 4.4. */
export const queriedNames = (document: unknown): QueriedName[] => [
  ...named([...query, 'scope'], at(document, ...query, 'scope'), 'key'),
  ...listAt(document, ...query, 'filters').flatMap((group, index) =>
    listAt(group, 'filter_elems')
      .map((element, position) => ({ element, path: [...query, 'filters', index, 'filter_elems', position] }))
      .filter(({ element }) => ['Eq', 'Ne'].includes(String(at(element, 'filter_op'))))
      .flatMap(({ element, path }) => named(path, element, 'field')),
  ),
]

function named(path: Path, compared: unknown, key: 'key' | 'field'): QueriedName[] {
  const kind = queried.get(at(compared, key))
  const value = at(compared, 'value')
  if (kind === undefined || typeof value !== 'string') return []
  const names = key === 'key' ? value.split(',').map((name) => name.trim()) : [value]
  return names.filter((name) => name !== '').map((name) => ({ path: [...path, 'value'], kind, name }))
}

/** What whole names look like: those of others can be searched, too. Spec 2.2. */
const forms: Partial<Record<KindName, { readonly form: string; readonly fits: RegExp }>> = {
  template: { form: 'PUBLISHER::Name::v1', fits: /^(\$publisher|[^:.]*\.[^:]*)::.*[^:]::v\d+$/ },
  variation: { form: 'PUBLISHER::Name::v1::Variation', fits: /^(\$publisher|[^:.]*\.[^:]*)::./ },
}

/** The form that a name does not have, by which nothing is found; undefined for a whole one. */
export function formMissing({ kind, name }: Pick<QueriedName, 'kind' | 'name'>): string | undefined {
  const known = forms[kind]
  return known?.fits.test(name) ? undefined : known?.form
}

/** Whether one of these is a later version of a name: what was published before it is in no file any more, and still found. */
export function hasLater(name: string, names: ReadonlySet<string>): boolean {
  const [stem, version] = versionIn(name)
  return [...names].some((one) => {
    const [otherStem, otherVersion] = versionIn(one)
    return otherStem === stem && otherVersion > version
  })
}

/** The name of a template without its version, and that; of a variation, too. */
function versionIn(name: string): [stem: string, version: number] {
  const [, before = name, version] = /^(.*?)::v(\d+)(?=::|$)/.exec(name) ?? []
  return [before, Number(version)]
}
