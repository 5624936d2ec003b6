import type { ViewerPlatform } from '../../contract/kinds/face-selection.ts'
import { at, isObject, listAt } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import type { Drawing, Fault, Picture, Plan } from './drawing.ts'

/** What a face draws on a platform. */
export interface Subject {
  readonly platform: ViewerPlatform
  /** A face, as a document: `display_url`, `constraints`, `resources`, `config`. */
  readonly face: unknown
  /** A record: `id`, `vAtom::vAtomType`, `private`. */
  readonly vatom: unknown
  /** The records of what is in it. */
  readonly children: readonly unknown[]
}

/** An entry of `resources`. Spec 2.4. */
export interface Resource {
  readonly name: string
  readonly type: string
  readonly url: string
}

/** The resources of a vAtom that have a name and a value. */
export const resourcesOf = (vatom: unknown): readonly Resource[] =>
  listAt(vatom, vatomTypeKey, 'resources').flatMap((entry) => {
    const [name, type, url] = [at(entry, 'name'), at(entry, 'resourceType'), at(entry, 'value', 'value')]
    return typeof name === 'string' && typeof url === 'string' ? [{ name, type: String(type ?? ''), url }] : []
  })

/** The first resource of a name. */
export const resourceNamed = (vatom: unknown, name: string): Resource | undefined =>
  resourcesOf(vatom).find((resource) => resource.name === name)

/** The first resource that has one of the names, in their order. */
export const firstNamed = (vatom: unknown, names: readonly string[]): Resource | undefined =>
  names.map((name) => resourceNamed(vatom, name)).find((resource) => resource !== undefined)

/** The image that viewers show if nothing names another. */
export const activatedImage = 'ActivatedImage'

/** A resource as an image. */
export const pictureOf = ({ name, url }: Resource, fit: Picture['fit'] = 'contain'): Picture => ({ name, url, fit })

/** A property that the service sets, such as `cloning_score`. */
export const propertyOf = (vatom: unknown, name: string): unknown => at(vatom, vatomTypeKey, name)

/** The `config` of a face; undefined if it has none. */
export function configOf({ face }: Subject): Record<string, unknown> | undefined {
  const config = at(face, 'config')
  return isObject(config) ? config : undefined
}

/** The `private` section of the vAtom. */
export function privateOf({ vatom }: Subject): Record<string, unknown> {
  const section = at(vatom, 'private')
  return isObject(section) ? section : {}
}

/** A setting that is a text; undefined for one that is not, or is empty. */
export function textIn(settings: unknown, key: string): string | undefined {
  const value = at(settings, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** How an image lies where only Android reads `scale`: in any case. Others fit it into the area. */
export const androidFit = (subject: Subject): Picture['fit'] =>
  subject.platform === 'android' && textIn(configOf(subject), 'scale')?.toLowerCase() === 'fill' ? 'cover' : 'contain'

/** The first resource that a face lists. */
export const firstListed = ({ face }: Subject): string | undefined => {
  const [name] = listAt(face, 'resources')
  return typeof name === 'string' ? name : undefined
}

/** A drawing about which there is nothing to note but what is given. */
export const planned = (drawing: Drawing, ...notes: readonly (string | false | undefined)[]): Plan => ({
  drawing,
  notes: notes.filter((note) => typeof note === 'string'),
})

/** Nothing is drawn, for the reason given. */
export const blank = (why: string): Plan => fault({ shows: 'blank', why, backdrop: undefined })

/**
 * The error view of a viewer: the activated image with a warning sign on web and iOS; on Android it is the app's own.
 */
export function failed({ platform, vatom }: Subject, why: string): Plan {
  const image = platform === 'android' ? undefined : resourceNamed(vatom, activatedImage)
  return fault({ shows: 'error', why, backdrop: image && pictureOf(image) })
}

/** A viewer that shows its sign of loading, and never anything else. */
export const stuck = (why: string): Plan => fault({ shows: 'loading', why, backdrop: undefined })

/** Why nothing can be drawn: the vAtom has none of the resources. */
export const lacks = (...names: readonly string[]): string => `the vAtom has no resource ${names.join(' or ')}`

const fault = (found: Fault): Plan => ({ drawing: { kind: 'fault', fault: found }, notes: [] })
