import { describe } from './issues.ts'
import { at, isObject, listAt, type Path, printPath } from './path.ts'
import type { Finding } from './rule.ts'
import { didYouMean, nameList } from './suggest.ts'

/** What a setting of a native face holds, and how that is told. */
interface Setting {
  readonly holds: (value: unknown) => boolean
  readonly must: string
  /** Whether its value names a resource. */
  readonly resource?: true
}
type Settings = Readonly<Record<string, Setting>>

const isText = (value: unknown) => typeof value === 'string'
const oneOf = (...values: readonly string[]): Setting => ({
  holds: (value) => isText(value) && values.includes(value as string),
  must: `be one of ${values.join(', ')}`,
})
const resource: Setting = { holds: isText, must: 'name a resource', resource: true }
const text: Setting = { holds: isText, must: 'be a string' }
const number: Setting = {
  holds: (value) => typeof value === 'number',
  must: 'be a number: as a string, iOS does not read it',
}
const truth: Setting = { holds: (value) => typeof value === 'boolean', must: 'be true or false' }
const objects: Setting = {
  holds: (value) => Array.isArray(value) && value.every(isObject),
  must: 'be a list of rules',
}

/** Settings that viewers read, by native face. */
const faces: Readonly<Record<string, Settings>> = {
  'native://image': { image: resource, scale: oneOf('fit', 'fill') },
  'native://progress-image-overlay': {
    empty_image: resource,
    full_image: resource,
    direction: oneOf('up', 'down', 'left', 'right'),
    padding_start: number,
    padding_end: number,
    show_percentage: truth,
  },
  'native://image-policy': { image_policy: objects, image_mode: text },
  'native://layered-image': { layerImage: resource },
  'native://generic-3d': { placeholder_image: resource, scene: resource, animation_rules: objects },
}

/** Settings of an entry of `image_policy`; the first entry that fits decides. */
const policyEntry: Settings = {
  resource,
  count_max: { holds: (value) => Number.isInteger(value), must: 'be a whole number' },
  field: { holds: (value) => isText(value) && (value as string).startsWith('private.'), must: 'begin with private.' },
  value: { holds: () => true, must: '' },
}

const settingsOf = (face: unknown): Settings | undefined => {
  const url = at(face, 'display_url')
  return typeof url === 'string' && Object.hasOwn(faces, url) ? faces[url] : undefined
}

/** Whether `config` holds what the native face reads, as it reads it; other faces' settings are their own. */
export function faceConfig(face: unknown): readonly Finding[] {
  const settings = settingsOf(face)
  const config = at(face, 'config')
  if (!settings || !isObject(config)) return []
  return [
    ...unread(config, settings, ['config']),
    ...policyOf(face).flatMap(({ entry, path }) => policyFindings(entry, path)),
  ]
}

/** Entries of `image_policy`, each with its place. */
const policyOf = (face: unknown) =>
  (at(face, 'display_url') === 'native://image-policy' ? listAt(face, 'config', 'image_policy') : []).flatMap(
    (entry, index) => (isObject(entry) ? [{ entry, path: ['config', 'image_policy', index] }] : []),
  )

function policyFindings(entry: Record<string, unknown>, path: Path): Finding[] {
  const nameless = { path, message: `${printPath(path)} has no resource: viewers skip it`, hint: 'add resource' }
  return [...(entry.resource === undefined ? [nameless] : []), ...unread(entry, policyEntry, path)]
}

/** Fields nobody reads, and fields with a value nobody understands. */
function unread(object: Record<string, unknown>, settings: Settings, path: Path): Finding[] {
  const names = Object.keys(settings)
  return Object.entries(object).flatMap(([key, value]): Finding[] => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
    const place = [...path, key]
    if (setting === undefined)
      return [
        {
          path: place,
          message: `this face does not read ${printPath(place)}`,
          hint: didYouMean(key, names) ?? `it reads ${nameList(names)}`,
        },
      ]
    if (setting.holds(value)) return []
    return [{ path: place, message: `must ${setting.must}, not ${describe(value)}` }]
  })
}

/** Names of resources in `config`, each with its place. */
export function faceConfigResources(face: unknown): { readonly path: Path; readonly name: unknown }[] {
  const settings = settingsOf(face)
  if (!settings) return []
  const direct = Object.keys(settings)
    .filter((key) => settings[key]?.resource)
    .map((key) => ({ path: ['config', key], name: at(face, 'config', key) }))
  const inPolicy = policyOf(face).map(({ entry, path }) => ({ path: [...path, 'resource'], name: entry.resource }))
  return [...direct, ...inPolicy].filter(({ name }) => typeof name === 'string')
}
