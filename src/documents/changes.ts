import type { FaceRecord } from '../contract/kinds/face-schemas.ts'
import type { TemplateRecord } from '../contract/kinds/template-schemas.ts'
import type { VariationRecord } from '../contract/kinds/variation-schemas.ts'
import { lazy } from '../contract/schema/lazy.ts'
import { at, isObject, type Path, printPath } from '../contract/schema/path.ts'
import { vatomTypeKey } from '../contract/values.ts'
import {
  completeEth,
  completeVatom,
  flatPrices,
  type Section,
  sectionOf,
  typedEth,
  variationDefaults,
} from '../contract/vatom/complete.ts'
import { resolveChain } from '../contract/vatom/overlay.ts'
import { VatomSection } from '../contract/vatom/section.ts'
import { withoutStateChange } from '../contract/vatom/states.ts'

/** What a record lacks of what its document says. */
export interface Changes {
  /** The fields to send: those that differ, whole; `null` takes one away. Empty where nothing differs. */
  readonly body: Section
  readonly differences: readonly Difference[]
  /** The places among them that no update can change. */
  readonly fixed: readonly string[]
  /** Whether the record is published, which is final. Spec 3. */
  readonly final: boolean
  /** The `eth` section before and after, as it is kept. Spec 2.3. */
  readonly eth: { readonly before: unknown; readonly after: unknown }
}

/** A place where a record differs from its document; undefined where one of them has nothing there. */
export interface Difference {
  /** As people read it: `vatom.vAtom::vAtomType.title`. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** A field as the document and the record have it, both as they are kept. */
interface Field {
  readonly name: string
  readonly wanted: unknown
  readonly stored: unknown
  /** What to send where they differ; a field without it cannot be changed. */
  readonly sent?: unknown
}

/**
 * What a template's record lacks of what its document says; whether it is published is not compared: that is decided
 * by publishing alone. Spec 2.2, 3.
 */
export function templateChanges(document: Section, { public: isPublic, properties }: TemplateRecord): Changes {
  const eth = chain('eth', document.eth, properties.eth, (section) => completeEth(section, properties.publisher_fqdn))
  return changesOf(properties.unpublished, eth, [
    setting('cloneable', document.cloneable ?? false, properties.cloneable),
    setting('public', document.public ?? false, isPublic),
    eth,
    chain('eos', document.eos, properties.eos, typedEth),
    {
      name: 'vatom',
      wanted: withoutStateChange(completeVatom(sectionOf(document.vatom))),
      stored: withoutStateChange(completeVatom(documented(properties.template))),
      sent: document.vatom,
    },
  ])
}

/**
 * What a variation's record lacks of what its document says: it is held against what the variation itself overwrites.
 * The template's `eth` section is what the variation's own stands over on the chain. Spec 2.5.
 */
export function variationChanges(
  document: Section,
  { public: isPublic, properties }: VariationRecord,
  templateEth?: unknown,
): Changes {
  const overrides = sectionOf(properties.overrides)
  const own = { ...properties, public: isPublic }
  const eth = chain('eth', document.eth, overrides.eth, typedEth)
  const resolved = (section: unknown) =>
    isObject(section) && isObject(templateEth) ? resolveChain(templateEth, section) : section
  return changesOf(properties.unpublished, { stored: resolved(eth.stored), wanted: resolved(eth.wanted) }, [
    { name: 'template', wanted: document.template, stored: properties.template },
    ...Object.entries(variationDefaults).map(([name, unset]) =>
      setting(name, document[name] ?? unset, at(own, name) ?? unset),
    ),
    eth,
    chain('eos', document.eos, overrides.eos, typedEth),
    {
      name: 'vatom',
      wanted: withoutStateChange(flatPrices(sectionOf(document.vatom))),
      stored: withoutStateChange(flatPrices(sectionOf(overrides.vatom))),
      sent: document.vatom ?? {},
    },
  ])
}

/** What an action's record lacks of some fields, which are as they are kept; its name is not one of them. */
export const actionChanges = ({ name: _, ...fields }: Section, stored: Section): Changes =>
  changesOf(
    true,
    {},
    Object.entries(fields).map(([name, wanted]) => setting(name, wanted, stored[name])),
  )

/**
 * What a face's record lacks of what its document says. Of its constraints those that differ are sent; a config that
 * the document does not have is emptied. Spec 2.6.
 */
export function faceChanges(document: Section, { properties }: FaceRecord): Changes {
  const wanted = sectionOf(document.constraints)
  const stored = Object.fromEntries(Object.keys(wanted).map((name) => [name, at(properties, 'constraints', name)]))
  const differing = Object.entries(wanted).filter(([name, value]) => stored[name] !== value)
  return changesOf(true, {}, [
    setting('display_url', document.display_url, properties.display_url),
    setting('package_url', document.package_url, properties.package_url),
    { name: 'constraints', wanted, stored, sent: Object.fromEntries(differing) },
    setting('resources', document.resources, properties.resources ?? []),
    setting('config', document.config ?? {}, properties.config ?? {}),
  ])
}

const setting = (name: string, wanted: unknown, stored: unknown): Field => ({ name, wanted, stored, sent: wanted })

/** A section that is kept on a chain; one that the document does not have is taken away. */
function chain(name: string, wanted: unknown, stored: unknown, keep: (section: Section) => Section): Field {
  const kept = (section: unknown) => (isObject(section) ? keep(section) : undefined)
  return { name, wanted: kept(wanted), stored: kept(stored), sent: wanted ?? null }
}

const builtIn = lazy(() => Object.keys(VatomSection().shape[vatomTypeKey].shape))

/** A stored `vatom` section without the built-in fields that no document can have: a newer service may add some. */
function documented(vatom: Section): Section {
  const type = sectionOf(vatom[vatomTypeKey])
  const known = Object.entries(type).filter(([field]) => builtIn().includes(field))
  return { ...vatom, [vatomTypeKey]: Object.fromEntries(known) }
}

function changesOf(draft: boolean, eth: Pick<Partial<Field>, 'wanted' | 'stored'>, fields: readonly Field[]): Changes {
  const differing = fields
    .map((field) => ({ ...field, found: differences(field.stored, field.wanted, [field.name]) }))
    .filter(({ found }) => found.length > 0)
  const open = differing.filter((field) => 'sent' in field)
  return {
    body: Object.fromEntries(open.map(({ name, sent }) => [name, sent])),
    differences: differing.flatMap(({ found }) => found),
    fixed: differing.filter((field) => !('sent' in field)).flatMap(({ found }) => found.map(({ path }) => path)),
    final: !draft,
    eth: { before: eth.stored, after: eth.wanted },
  }
}

/** The places where two JSON values differ, as deep as they have the same shape. */
function differences(before: unknown, after: unknown, path: Path): Difference[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(after), ...Object.keys(before)])
    return [...keys].flatMap((key) => differences(at(before, key), at(after, key), [...path, key]))
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((entry: unknown, index) => differences(before[index], entry, [...path, index]))
  return before === after ? [] : [{ path: printPath(path), before, after }]
}
