import { kindOf } from '../kinds/kinds.ts'
import { at, isObject } from '../schema/path.ts'
import { discoverContainer, vatomType } from '../values.ts'
import { flatPrice, resolveVatom } from '../vatom/overlay.ts'
import type { Catalog, Member } from './catalog.ts'
import type { Finding } from './rule.ts'
import { unreachableValidity } from './vatom-rules.ts'

/** The vAtom that a variation makes of its template, as a document; undefined where the template is not in the catalog. */
function resolved({ template: name, value }: Member, catalog: Catalog): unknown {
  const base = at(catalog.template(name)?.value, 'vatom')
  const over = at(value, 'vatom') ?? {}
  return isObject(base) && isObject(over) ? { vatom: resolveVatom(base, over) } : undefined
}

const builtIn = (document: unknown, field: string) => at(document, ...vatomType, field)
const hasQuery = ({ value }: Member) => builtIn(value, 'query') !== undefined

/**
 * A discover container finds its children by a query. A template may leave it to its variations, if all those in the
 * catalog have one. Spec 2.4.
 */
export function discoverQuery(self: Member, catalog: Catalog): Finding[] {
  if (hasQuery(self)) return []
  const isTemplate = kindOf(self.kind).parent === undefined
  const template = isTemplate ? self : catalog.template(self.template)
  if (template === undefined || builtIn(template.value, 'root_type') !== discoverContainer || hasQuery(template))
    return []
  const inVariations = catalog.of(template.name, 'variation').some(hasQuery)
  if (inVariations === isTemplate) return []
  const message = 'a discover container without a query has nothing in it'
  if (isTemplate) return [{ path: [...vatomType, 'root_type'], message }]
  return [{ path: ['template_variation'], message: `${message}, and its template at ${template.place()} has none` }]
}

/** The price of the vAtom is valid on some day, where the variation says one end of it. Spec 2.4. */
export function validityResolved(self: Member, catalog: Catalog): Finding[] {
  if (builtIn(self.value, 'commerce') === undefined || unreachableValidity(self.value).length > 0) return []
  return unreachableValidity(resolved(self, catalog)).map(({ message }) => ({
    path: [...vatomType, 'commerce'],
    message: `${message}; the template is at ${catalog.template(self.template)?.place() ?? ''}`,
  }))
}

const texts = ['title', 'description', 'category'] as const
const priceFields = ['currency', 'price', 'valid_from', 'valid_through', 'vat_included'] as const

/** What iOS needs to show a vAtom, which neither the variation nor its template says. */
export function iosDrops(self: Member, catalog: Catalog): Finding[] {
  const vatom = resolved(self, catalog)
  if (vatom === undefined) return []
  const price = flatPrice(at(builtIn(vatom, 'commerce'), 'pricing', 'value'))
  const missing = [
    ...texts.filter((field) => builtIn(vatom, field) === undefined),
    ...(isObject(price)
      ? priceFields.filter((field) => price[field] === undefined).map((field) => `price: ${field}`)
      : []),
  ]
  if (missing.length === 0) return []
  return [
    {
      path: ['template_variation'],
      message: `the vAtom has no ${missing.join(', ')}`,
      hint: 'add it here or in the template: iOS does not show a vAtom without it, unless the service fills it in',
    },
  ]
}
