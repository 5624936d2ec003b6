import { kindOf } from '../kinds/kinds.ts'
import { nameList } from '../schema/suggest.ts'
import { typo } from '../schema/typo.ts'
import { type KindName, kinds, publisherPlaceholder } from '../values.ts'
import { childPolicy } from '../vatom/child-policy.ts'
import { type Catalog, childrenOf, type Member } from './catalog.ts'
import { foreignChildren } from './foreign-children.ts'
import { pullHint } from './pull-hint.ts'
import { hasLater, queriedNames } from './query-names.ts'
import type { Finding } from './rule.ts'

/** A name of another document: where it stands, its kind, and the names that documents of that kind have. */
export interface Reference {
  readonly path: Finding['path']
  readonly name: string
  readonly kind: KindName
  readonly names: ReadonlySet<string>
}

/** The template of a document, if it has another name than all in the catalog. */
export function missingTemplate({ kind, template }: Member, catalog: Catalog): Reference[] {
  const names = catalog.names('template')
  if (template === undefined || names.has(template)) return []
  return [{ path: [kindOf(kind).templateKey], name: template, kind: 'template', names }]
}

/** The publisher's own variations in a child_policy that have other names than all in the catalog; another rule reports others. */
export function missingChildren({ value }: Member, catalog: Catalog): Reference[] {
  const names = catalog.names('variation')
  const foreign = new Set(foreignChildren(value, catalog.publisher).map(({ name }) => name))
  return childrenOf(value)
    .filter(({ name }) => !names.has(name) && !foreign.has(name))
    .map(({ index, name }) => ({ path: [...childPolicy, index, 'template_variation'], name, kind: 'variation', names }))
}

/** The templates and variations in a query that have other names than all in the catalog. */
export const missingQueried = ({ value }: Member, catalog: Catalog): Reference[] =>
  queriedNames(value)
    .map((one) => ({ ...one, names: catalog.names(one.kind) }))
    .filter(({ name, names }) => !names.has(name) && !hasLater(name, names))

const missing = ({ path, name, kind }: Reference, hint: string): Finding => ({
  path,
  message: `no ${kind} in the catalog is named ${name}`,
  hint,
})

export function misspelt(reference: Reference): Finding[] {
  const meant = typo(reference.name, reference.names)
  return meant === undefined ? [] : [missing(reference, `did you mean ${meant}?`)]
}

/** What to do about a reference to what the catalog has not. */
function remedyOf(reference: Reference, { publisher }: Catalog): string {
  const isForeign = publisher !== undefined && publisherIn(reference.name) !== publisher
  return isForeign
    ? `the service takes only those of ${publisher} here, whose names begin with ${publisherPlaceholder}::`
    : pullHint(reference)
}

/** A reference that is no misspelling, which another rule reports. */
export function absent(reference: Reference, catalog: Catalog): Finding[] {
  if (typo(reference.name, reference.names) !== undefined) return []
  const has = reference.names.size === 0 ? '' : `the catalog has: ${nameList([...reference.names])}; `
  return [missing(reference, `${has}${remedyOf(reference, catalog)}`)]
}

/** A variation whose own name begins with that of another template, which the catalog has; undefined for any other document. */
export function namedAfterOther({ kind, name }: Member, reference: Reference, catalog: Catalog): Finding[] | undefined {
  if (kind !== 'variation' || typo(reference.name, reference.names) !== undefined) return undefined
  const template = [...reference.names].find((one) => name.startsWith(`${one}::`))
  if (template === undefined) return undefined
  const hint = `write ${template}, with which the name of the variation begins; or else, ${remedyOf(reference, catalog)}`
  return [missing(reference, hint)]
}

/** Kinds of documents that are of a template. */
const kindsOfTemplate = kinds.filter((name) => kindOf(name).parent !== undefined)

/** Documents of a template, whether the catalog has it or not. */
const documentsOf = (template: string, catalog: Catalog): readonly Member[] =>
  kindsOfTemplate.flatMap((kind) => catalog.of(template, kind))

/** The one template to which nothing belongs; undefined if there are several, or none. */
function onlyLone(names: ReadonlySet<string>, catalog: Catalog): string | undefined {
  let found: string | undefined
  for (const one of names) {
    if (documentsOf(one, catalog).length > 0) continue
    if (found !== undefined) return undefined
    found = one
  }
  return found
}

/** One advice, at the first document of a template whose name was changed in its own file; undefined if it was not. */
export function renamed(self: Member, reference: Reference, catalog: Catalog): Finding[] | undefined {
  const { name, names } = reference
  const template = onlyLone(names, catalog)
  if (template === undefined || typo(name, names) !== undefined) return undefined
  const documents = documentsOf(name, catalog)
  if (documents.length > 0 && documents[0] !== self) return []
  const files = new Set((documents.length > 0 ? documents : [self]).map((one) => one.place().replace(/(:\d+)+$/, '')))
  const hint = `was it renamed to ${template}, to which nothing belongs? A renamed template is a new one: put the old name back, or write the new one into ${nameList([...files])}, too`
  return [missing(reference, hint)]
}

/** The publisher in a name. */
export const publisherIn = (name: string) => name.split('::')[0]
