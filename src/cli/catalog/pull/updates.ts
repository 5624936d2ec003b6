import { type Difference, differences } from '../../../contract/kinds/changes.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { at, isObject, isSame } from '../../../contract/schema/path.ts'
import { publisherPlaceholder, vatomType } from '../../../contract/values.ts'
import { nestedPrices, type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { adopted } from '../../../documents/edit/adopt.ts'
import { expandDocument, placeholdDocument } from '../../../documents/load/expand.ts'
import type { Pulled } from './documents.ts'
import type { Existing } from './existing-catalog.ts'

/** What a document becomes. */
export interface Update {
  /** As it is to be written. */
  readonly value: Section
  /** What the document says before and after. */
  readonly differences: readonly Difference[]
}

/** What changes in a document so that it describes its record; undefined where it does. */
export function updateOf({ kind, raw, value }: Existing, { document }: Pulled, publisher: string): Update | undefined {
  const { minimal, nameKey, defaults } = kindOf(kind)
  const meaning = (one: unknown) => plain(minimal(sectionOf(one), publisher))
  const [means, wanted] = [meaning(value), plain(document)]
  if (isSame(means, wanted)) return undefined
  const said = { ...saidDefaults(defaults, means, wanted), ...wanted }
  const isShort = String(at(raw.value, nameKey)).startsWith(publisherPlaceholder)
  const named = (one: Section) => (isShort ? sectionOf(placeholdDocument(kind, one, publisher)) : one)
  const formed = isObject(at(raw.value, ...priceValue, 'value')) ? (one: Section) => nested(named(one)) : named
  const kept = sectionOf(adopted(raw.value, formed(means), formed(said)))
  const saysIt = isSame(meaning(expandDocument(kind, kept, publisher)), wanted)
  return {
    value: saysIt ? kept : { ...ownKeys(raw.value), ...named(wanted) },
    differences: differences(withSaid(sectionOf(means), sectionOf(value), said), said, []),
  }
}

/** Defaults for settings that a document has and its record does not: their line stays, and says what is so. */
const saidDefaults = (defaults: Section, means: Section, wanted: Section): Section =>
  Object.fromEntries(
    Object.entries(defaults).filter(([key, value]) => key in means && !(key in wanted) && !isObject(value)),
  )

/** What a document means, with the defaults that it says itself where its record has something else. */
function withSaid(means: Section, value: Section, wanted: Section): Section {
  const defaulted = Object.entries(wanted).flatMap(([key, one]) => {
    const [meant, said] = [means[key], value[key]]
    if (isObject(said) && isObject(one)) return [[key, withSaid(sectionOf(meant), said, one)] as const]
    return meant === undefined && said !== undefined ? [[key, said] as const] : []
  })
  return { ...means, ...Object.fromEntries(defaulted) }
}

/** Where the price of a document stands. Spec 2.4. */
const priceValue = [...vatomType, 'commerce', 'pricing', 'value']

const nested = (document: Section): Section => ({ ...document, vatom: nestedPrices(sectionOf(document.vatom)) })

/** The keys of a document that are never sent. */
const ownKeys = (document: unknown): Section =>
  Object.fromEntries(Object.entries(sectionOf(document)).filter(([key]) => key === 'kind' || key === '$schema'))

/** A plain JSON value, without members that are undefined. */
const plain = (document: Section): Section => JSON.parse(JSON.stringify(document))
