import { limits } from '../limits.ts'
import { isObject } from '../schema/path.ts'
import { certainMeaning } from '../schema/suggest.ts'
import type { KindName, SchemaKind } from '../values.ts'
import type { Section } from '../vatom/complete.ts'
import { action } from './action.ts'
import { face } from './face.ts'
import type { Kind } from './kind.ts'
import { template } from './template.ts'
import { variation } from './variation.ts'

const byName: Readonly<Record<KindName, Kind>> = { template, variation, face, action }

/** The kind of a name. */
export const kindOf = (name: KindName): Kind => byName[name]

/** Every kind, in an order in which a service takes documents: each names only what comes before it. */
export const creationOrder: readonly Kind[] = [template, variation, action, face]

/** Facts about anything that is written by hand, whether it is of a kind or not. */
type Facts = Pick<Kind, 'title' | 'defaults' | 'specAt'>

const requests: Readonly<Record<Exclude<SchemaKind, KindName>, Facts>> = {
  discover: {
    title: 'Search for vAtoms',
    defaults: { limit: limits.page, page: 1, return: { type: '*' } },
    specAt: () => '4.4',
  },
  profile: { title: 'Profile', defaults: {}, specAt: () => '4.2' },
}

/** Facts about the documents of a kind, or about the body of a request that is written by hand. */
export const factsOf = (name: SchemaKind): Facts => (isKindName(name) ? kindOf(name) : requests[name])

/** Whether a value is the name of a kind. */
export const isKindName = (value: unknown): value is KindName =>
  typeof value === 'string' && Object.hasOwn(byName, value)

/** Kinds by how clearly the keys of a document show them: what is a variation may have a `vatom` section, too. */
const byKeys: readonly Kind[] = [variation, face, action, template]

/** The kind a document says it is by `kind:`, or shows by its keys; undefined where neither shows it. */
export function recognized(document: unknown): Kind | undefined {
  if (!isObject(document)) return undefined
  if (isKindName(document.kind)) return kindOf(document.kind)
  const shown = shownBy(document) ?? recorded(document)
  return shown === undefined || shown === template ? (misspeltIn(document)?.kind ?? shown) : shown
}

/** The kind that a document shows by its keys alone, if none is misspelt. */
export const shownBy = (document: Section): Kind | undefined => byKeys.find((kind) => kind.showsIn(document))

/** The kind of a record as a service answers it, which has what its document says in `properties`. */
function recorded({ properties }: Section): Kind | undefined {
  if (!isObject(properties)) return undefined
  if (isObject(properties.template)) return template
  return typeof properties.template === 'string' ? variation : shownBy(properties)
}

const marks = byKeys.flatMap(({ mark }) => mark ?? [])

/** The misspelt field of a document that would show its kind; that with the name of a variation can have any other word for it. */
function misspeltIn(document: Record<string, unknown>) {
  for (const [key, value] of Object.entries(document)) {
    const mark = certainMeaning(key, marks) ?? (isVariationOf(document.template, value) ? variation.mark : undefined)
    const kind = byKeys.find((one) => one.mark === mark)
    if (mark !== undefined && kind !== undefined) return { key, mark, kind }
  }
  return undefined
}

const isVariationOf = (template: unknown, name: unknown): boolean =>
  typeof template === 'string' && typeof name === 'string' && name.startsWith(`${template}::`)

/** A document as it is meant: with the field that shows its kind, if that is misspelt. */
export function withMark(kind: Kind, document: unknown): unknown {
  if (kind.mark === undefined || !isObject(document) || Object.hasOwn(document, kind.mark)) return document
  const misspelt = misspeltIn(document)
  return misspelt?.kind === kind ? { ...document, [misspelt.mark]: document[misspelt.key] } : document
}
