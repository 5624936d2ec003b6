import { at, isObject, type Path } from '../schema/path.ts'
import { describe, word } from '../schema/wording.ts'

/** What is wrong with the value of a setting, in words; undefined where nothing is. */
type Must = (value: unknown) => string | undefined
/** What a setting must be. */
export interface Setting {
  readonly must: Must
  /** The same as a JSON Schema, for people and programs that ask beforehand. */
  readonly schema: Readonly<Record<string, unknown>>
}
/** What the settings of an object must be, by name. */
export type Settings = Readonly<Record<string, Setting>>
/** A setting that lists entries: what an entry may hold, where it names a resource, and what it lacks, in words. */
export interface Entries {
  readonly key: string
  readonly settings: Settings
  readonly resource: Path
  readonly lacks: (entry: Record<string, unknown>) => string | undefined
}
/** A resource that viewers show nothing without: the setting that names it, or else any of the usual names. */
export interface Need {
  readonly setting: string
  readonly usual: readonly string[]
  /** Whether the first resource that the face lists serves, too. */
  readonly isListed?: true
}
/** What viewers read in `config` of a native face. */
export interface NativeFace {
  readonly settings: Settings
  readonly entries?: Entries
  readonly needs?: readonly Need[]
  /** Whether it shows what its list of policies says. */
  readonly needsPolicy?: true
}

/** Whether a value is a string. */
export const isText = (value: unknown): value is string => typeof value === 'string'
const setting = (schema: Setting['schema'], words: string, holds: (value: unknown) => boolean): Setting => ({
  schema,
  must: (value) => (holds(value) ? undefined : `must ${words}, not ${describe(value)}`),
})

const anything: Setting = { schema: {}, must: () => undefined }
const text = setting({ type: 'string' }, 'be a string', isText)
/** A setting that names a resource. */
export const resource = setting({ type: 'string', description: 'Name of a resource.' }, 'name a resource', isText)
/** A setting of which no more is known than that web viewers read it. */
const webMode: Setting = {
  ...text,
  schema: { ...text.schema, description: 'For web viewers alone; which values they know is not published.' },
}
const truth = setting({ type: 'boolean' }, 'be true or false', (value) => typeof value === 'boolean')
/** A setting that is an object. */
export const object = setting({ type: 'object' }, 'be an object', isObject)
const list = setting({ type: 'array' }, 'be a list', Array.isArray)
const oneOf = (values: readonly string[], isOne = (value: string) => values.includes(value)) =>
  setting({ type: 'string', enum: values }, `be one of ${values.join(', ')}`, (value) => isText(value) && isOne(value))
const direction = oneOf(['up', 'down', 'left', 'right'], (value) => /^(up|down|left|right)$/i.test(value))

/** Web viewers read a number that is written as a string; iOS does not. */
const numeric = ({ schema, must }: Setting): Setting => ({
  schema,
  must: (value) =>
    isText(value) && /^-?\d/.test(value) ? `iOS reads only a number: write ${Number.parseFloat(value)}` : must(value),
})
const number = numeric(setting({ type: 'number' }, 'be a number', (value) => typeof value === 'number'))
const wholeNumber = numeric(setting({ type: 'integer' }, 'be a whole number', Number.isInteger))

/** The steps of a path in a vAtom, such as `private."a.b".c`: one that has a dot in it is quoted. */
export const fieldSteps = (field: string): string[] =>
  [...field.matchAll(/(?:"[^"]*"|[^."])+/g)].map(([step]) => step.replaceAll('"', ''))

/** A path in the vAtom, whose steps may be quoted. */
const policyField: Setting = {
  schema: { type: 'string', description: 'A custom field of the vAtom, such as private.colour.' },
  must: (value) => {
    if (!isText(value)) return text.must(value)
    if (/^("private"|private)\../.test(value)) return undefined
    return `iOS reads only fields of private, such as private.colour, not ${word(value)}`
  },
}

/** Entries of `image_policy`: the first that fits decides. */
const imagePolicy: Entries = {
  key: 'image_policy',
  settings: { resource, count_max: wholeNumber, field: policyField, value: anything },
  resource: ['resource'],
  lacks: ({ resource, count_max, field, value }) => {
    if (resource === undefined) return 'has no resource: viewers skip it'
    if (field === undefined || value !== undefined || count_max !== undefined) return undefined
    return 'has a field and no value: iOS shows its resource whatever the field holds'
  },
}

const animationRules: Entries = {
  key: 'animation_rules',
  settings: {
    on: oneOf(['start', 'click', 'state', 'animation-start', 'animation-complete', 'action-complete', 'action-fail']),
    target: text,
    play: text,
    value: anything,
    delay: number,
    sound: object,
    action: object,
    condition: anything,
    custom: anything,
    alert: anything,
    remove: anything,
  },
  resource: ['sound', 'resource_name'],
  lacks: ({ on }) => (on === undefined ? 'has no on: nothing starts it' : undefined),
}

/** What viewers read, by `display_url`; a setting that one of them reads is here. */
export const nativeFaces: Readonly<Record<string, NativeFace>> = {
  'native://image': {
    settings: { image: resource, scale: oneOf(['fit', 'fill']) },
    needs: [{ setting: 'image', usual: ['ActivatedImage'], isListed: true }],
  },
  'native://progress-image-overlay': {
    settings: {
      empty_image: resource,
      full_image: resource,
      direction,
      padding_start: number,
      padding_end: number,
      show_percentage: truth,
    },
    needs: [
      { setting: 'empty_image', usual: ['BaseImage'] },
      { setting: 'full_image', usual: ['ActivatedImage'] },
    ],
  },
  'native://image-policy': {
    settings: { image_policy: list, image_mode: webMode },
    entries: imagePolicy,
    needsPolicy: true,
  },
  'native://layered-image': {
    settings: { layerImage: resource },
    needs: [{ setting: 'layerImage', usual: ['ActivatedImage'] }],
  },
  'native://generic-3d': {
    settings: {
      placeholder_image: resource,
      scene: resource,
      animation_rules: list,
      autorotate: truth,
      zoom: number,
      transform: object,
    },
    entries: animationRules,
    needs: [{ setting: 'scene', usual: ['Scene.glb', 'Scene'], isListed: true }],
  },
}

/** What viewers read in `config` of a face; undefined for a face whose settings are its own. */
export function nativeFaceOf(face: unknown): NativeFace | undefined {
  const url = at(face, 'display_url')
  return isText(url) && Object.hasOwn(nativeFaces, url) ? nativeFaces[url] : undefined
}
