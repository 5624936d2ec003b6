import { fieldSteps } from '../../contract/kinds/native-face.ts'
import { at, isObject, isSame, listAt } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import type { Plan } from './drawing.ts'
import {
  activatedImage,
  androidFit,
  configOf,
  failed,
  lacks,
  pictureOf,
  planned,
  privateOf,
  resourceNamed,
  type Subject,
  textIn,
} from './subject.ts'

/** An entry of `image_policy`, with its place in the list. */
interface Entry {
  readonly index: number
  readonly policy: Readonly<Record<string, unknown>>
}

/** `native://image-policy`: the resource of the first entry that fits the vAtom. */
export function planImagePolicy(subject: Subject): Plan {
  const policy = policyOf(subject)
  if (policy === undefined) return failed(subject, 'Android needs an image_policy in config or private')
  const entries = policy.flatMap((entry, index) => (isObject(entry) ? [{ index, policy: entry }] : []))
  const matches = matchers[subject.platform]
  const found = entries.find((entry) => matches(subject, entry.policy))
  const name = (found && textIn(found.policy, 'resource')) ?? activatedImage
  const resource = resourceNamed(subject.vatom, name) ?? substituteFor(subject)
  if (!resource) return failed(subject, lacks(name))
  const picture = pictureOf(resource, androidFit(subject))
  return planned({ kind: 'picture', picture }, whyOf(found, resource.name), ...notesOf(subject, entries))
}

const whyOf = (found: Entry | undefined, name: string): string =>
  found ? `image_policy[${found.index}] fits: ${name}` : `no entry of image_policy fits: ${name}`

/** Android shows the activated image instead of a resource that does not exist. */
const substituteFor = ({ platform, vatom }: Subject) =>
  platform === 'android' ? resourceNamed(vatom, activatedImage) : undefined

/** The list that a viewer reads: empty if it has none, undefined if it cannot do without. */
function policyOf(subject: Subject): readonly unknown[] | undefined {
  const config = configOf(subject)
  const own = privateOf(subject)
  switch (subject.platform) {
    case 'web':
      return (
        [at(config, 'image_policy'), own.image_policy, at(subject.vatom, vatomTypeKey, 'icon_stages')].find(
          Array.isArray,
        ) ?? []
      )
    case 'ios':
      return listAt(config ?? own, 'image_policy')
    case 'android':
      return [at(config, 'image_policy'), own.image_policy].find(Array.isArray)
  }
}

type Matcher = (subject: Subject, policy: Readonly<Record<string, unknown>>) => boolean

const matchers: Readonly<Record<Subject['platform'], Matcher>> = {
  // An entry whose resource does not exist is passed over.
  web: ({ vatom, children }, { count_max, field, value, resource }) => {
    if (typeof resource !== 'string' || !resourceNamed(vatom, resource)) return false
    if (count_max !== undefined) return children.length <= Number(count_max)
    return typeof field !== 'string' || field === '' || isIdentical(at(vatom, ...fieldSteps(field)), value)
  },
  ios: ({ vatom, children }, { count_max, field, value, resource }) => {
    if (typeof resource !== 'string') return false
    if (typeof count_max === 'number') return children.length <= Math.trunc(count_max)
    if (typeof field !== 'string' || value === undefined) return true
    const [section, ...steps] = fieldSteps(field)
    const found = section === 'private' && steps.length > 0 ? at(vatom, 'private', ...steps) : undefined
    return found !== undefined && isSame(found, value)
  },
  // It compares the number of children for equality, and looks up what follows "private." as one name.
  android: ({ vatom, children }, { count_max, field, value, resource }) => {
    if (typeof resource !== 'string') return false
    if (count_max !== undefined) return Math.trunc(Number(count_max)) === children.length
    if (typeof field !== 'string' || value === undefined) return true
    return field.startsWith('private.') && isIdentical(at(vatom, 'private', field.slice('private.'.length)), value)
  },
}

/** Two objects are never identical: viewers compare what is written, not what it holds. */
const isIdentical = (one: unknown, other: unknown): boolean => one === other

function notesOf({ platform, vatom }: Subject, entries: readonly Entry[]): (string | false)[] {
  const has = (key: string) => entries.some(({ policy }) => policy[key] !== undefined)
  const nested = entries.some(({ policy }) => typeof policy.field === 'string' && fieldSteps(policy.field).length > 2)
  return [
    platform === 'android' && has('count_max') && 'Android compares count_max for equality, not for at most',
    platform === 'android' && nested && 'Android does not look into objects of private',
    ...entries.map(({ index, policy: { resource } }) => {
      if (typeof resource !== 'string') return `image_policy[${index}] names no resource`
      return (
        !resourceNamed(vatom, resource) && `image_policy[${index}] names ${resource}, which the vAtom does not have`
      )
    }),
  ]
}
