import { fieldSteps, isText, nativeFaceOf } from '../kinds/native-face.ts'
import type { Draft } from '../schema/issues.ts'
import { at, isObject, listAt, type Path } from '../schema/path.ts'
import { didYouMean, nameList } from '../schema/suggest.ts'
import { word } from '../schema/wording.ts'
import type { RuleNote } from './rule.ts'

/** The rule of fields that the entries of `image_policy` look at. */
export const faceFieldNote = {
  name: 'face-config-field',
  severity: 'warning',
  spec: '4.5',
  summary: 'custom fields that image_policy looks at are fields of the template',
} as const satisfies RuleNote

const policy = 'image_policy'

/**
 * Fields of `private` that the policy of a face looks at, and that no vAtom of its template has: the entry never fits.
 * `custom` is the section of the template, `names` lists what is in it as `comparableFields` does.
 */
export function faceFieldDrafts(face: unknown, custom: unknown, names: () => readonly string[]): Draft[] {
  return fieldsOf(face, custom).flatMap(({ path, field, place }) => {
    const [section, ...steps] = fieldSteps(field)
    if (section !== 'private' || steps.length === 0 || at(custom, ...steps) !== undefined) return []
    const { name: rule, severity, spec } = faceFieldNote
    const message = `the template has no field ${word(field)}${place}: no vAtom fits this entry`
    return [{ path, rule, severity, spec, message, hint: () => hintFor(field, names()) }]
  })
}

interface Looked {
  readonly path: Path
  readonly field: string
  /** Where the entry is, if not in the face. */
  readonly place: string
}

/** The fields of the policy in its config, or of that in `private`, where viewers look if a face has no config. */
function fieldsOf(face: unknown, custom: unknown): Looked[] {
  if (!nativeFaceOf(face)?.needsPolicy) return []
  const config = at(face, 'config')
  return listAt(config ?? custom, policy).flatMap((entry, index) => {
    const field = at(entry, 'field')
    if (!isText(field) || at(entry, 'count_max') !== undefined) return []
    return isObject(config)
      ? [{ path: ['config', policy, index, 'field'], field, place: '' }]
      : [{ path: ['display_url'], field, place: `, which its private.${policy}[${index}] names` }]
  })
}

/** The names of all custom fields that a viewer can compare, as a policy names them. */
export function comparableFields(custom: unknown): string[] {
  const names: string[] = []
  const walk = (value: unknown, name: string): void => {
    if (!isObject(value)) names.push(name)
    else for (const [key, inner] of Object.entries(value)) walk(inner, `${name}.${quoted(key)}`)
  }
  walk(custom, 'private')
  return names
}

const quoted = (key: string) => (key.includes('.') ? `"${key}"` : key)

const hintFor = (field: string, names: readonly string[]) =>
  didYouMean(field, names) ?? `its fields: ${nameList(names)}`
