import { isDeepStrictEqual } from 'node:util'
import { documentDefaults } from '../contract/kinds/document-defaults.ts'
import { isObject } from '../contract/schema/path.ts'
import type { KindName } from '../contract/values.ts'
import { completeEth, completeVatom, flatPrices, sectionOf, typedEth } from '../contract/vatom/complete.ts'
import { withoutStateChange } from '../contract/vatom/states.ts'

type Document = Readonly<Record<string, unknown>>

/**
 * A document that says no more than it must: what equals its default is left out. Documents that a service keeps alike
 * come to the same. `publisher` is whose document it is: an `eth` section without a symbol has the publisher's.
 */
export const minimalDocument = (kind: KindName, document: Document, publisher: string): Document =>
  minimal[kind](document, publisher)

const minimal: Readonly<Record<KindName, (document: Document, publisher: string) => Document>> = {
  template: ({ vatom, ...document }, publisher) => ({
    ...withChains(beyond({ unpublished: true, public: false, cloneable: false }, document), (eth) =>
      plainEth(eth, publisher),
    ),
    vatom: plainVatom(sectionOf(vatom)),
  }),
  variation: ({ vatom, ...document }) => ({
    ...withChains(beyond(documentDefaults.variation, document), typedEth),
    ...(Object.keys(sectionOf(vatom)).length > 0 && { vatom: flatPrices(sectionOf(vatom)) }),
  }),
  face: ({ config, ...document }) => ({
    ...document,
    ...(Object.keys(sectionOf(config)).length > 0 && { config }),
  }),
  action: (document) => beyond(documentDefaults.action, document),
}

/** What an object says beyond its defaults, as deep as those are objects. */
function beyond(defaults: Document | undefined, document: Document): Document {
  const kept = Object.entries(document).flatMap(([key, value]) => {
    const unset = defaults !== undefined && Object.hasOwn(defaults, key) ? defaults[key] : undefined
    if (isDeepStrictEqual(value, unset)) return []
    if (!isObject(value) || !isObject(unset)) return [[key, value] as const]
    const rest = beyond(unset, value)
    return Object.keys(rest).length === 0 ? [] : [[key, rest] as const]
  })
  return Object.fromEntries(kept)
}

const vatomDefaults = withoutStateChange(sectionOf(documentDefaults.template?.vatom))

/** A template's `vatom` section. Its root type has no default, so that something is left of it. */
const plainVatom = (vatom: Document): Document => beyond(vatomDefaults, withoutStateChange(completeVatom(vatom)))

/** An `eth` section whose symbol, where it is the publisher's domain name, is left to the service. Spec 2.3. */
function plainEth(eth: Document, publisher: string): Document {
  const { symbol, ...rest } = completeEth(eth, publisher)
  return symbol === publisher ? rest : { ...rest, symbol }
}

const withChains = (document: Document, eth: (section: Document) => Document): Document => ({
  ...document,
  ...(isObject(document.eth) && { eth: eth(document.eth) }),
  ...(isObject(document.eos) && { eos: typedEth(document.eos) }),
})
