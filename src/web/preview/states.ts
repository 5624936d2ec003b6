import { fieldSteps } from '../../contract/kinds/native-face.ts'
import type { PreviewSubject } from '../../contract/preview.ts'
import { at, isObject, isSame, listAt } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'

/** A field that faces look at, or may look at. */
export interface Field {
  readonly name: string
  readonly steps: readonly string[]
  /** What a new vAtom has there. */
  readonly value: unknown
  /** That value, and those that rules of faces name; undefined where no rule names the field. */
  readonly known?: readonly unknown[]
}

/** Whether faces of a vAtom look at its cloning score, and at what is in it; web faces may look at everything. */
export const looksAt = ({ faces }: PreviewSubject, what: keyof typeof lookers): boolean =>
  faces.some(({ document }) => lookers[what].test(String(document.display_url)))

const lookers = {
  private: /^https?:/i,
  cloningScore: /^(https?:|native:\/\/progress-image-overlay)/i,
  children: /^(https?:|native:\/\/(image-policy|layered-image))/i,
} as const

/** What may happen to a vAtom, as a person has set it. */
export interface State {
  readonly cloningScore: number
  readonly children: number
  /** Values of fields by their names. */
  readonly fields: ReadonlyMap<string, unknown>
}

/** The state that a vAtom is in. */
export const freshState = ({ vatom }: Pick<PreviewSubject, 'vatom'>): State => ({
  cloningScore: Number(at(vatom, vatomTypeKey, 'cloning_score') ?? 0),
  children: 0,
  fields: new Map(),
})

/** The fields that rules of a vAtom's faces name, and all private ones where a web face may read them. */
export function fieldsOf(subject: PreviewSubject): Field[] {
  const named = ruledFields(subject)
  if (!looksAt(subject, 'private')) return named
  const others = leavesIn(at(subject.vatom, 'private'), ['private'])
  return [...named, ...others.filter(({ steps }) => !named.some((field) => isSame(field.steps, steps)))]
}

/** The values in a section that are no objects with fields of their own. */
function leavesIn(value: unknown, steps: readonly string[]): Field[] {
  const entries = isObject(value) ? Object.entries(value) : []
  if (entries.length > 0) return entries.flatMap(([key, inner]) => leavesIn(inner, [...steps, key]))
  return steps.length > 1 ? [{ name: nameOf(steps), steps, value }] : []
}

const nameOf = (steps: readonly string[]): string =>
  steps.map((step) => (step.includes('.') ? `"${step}"` : step)).join('.')

/** The fields that image policies and animation rules look at. */
function ruledFields({ faces, vatom }: PreviewSubject): Field[] {
  const settings = [...faces.map(({ document }) => at(document, 'config')), at(vatom, 'private')]
  const rules = [
    ...settings.flatMap((one) => listAt(one, 'image_policy')).map((rule) => [at(rule, 'field'), at(rule, 'value')]),
    ...settings
      .flatMap((one) => listAt(one, 'animation_rules'))
      .filter((rule) => at(rule, 'on') === 'state')
      .map((rule) => [at(rule, 'target'), at(rule, 'value')]),
  ]
  const found = new Map<string, unknown[]>()
  for (const [name, value] of rules)
    if (typeof name === 'string' && name !== '') {
      const values = found.get(name) ?? [at(vatom, ...fieldSteps(name))]
      if (!values.some((known) => isSame(known, value))) values.push(value)
      found.set(name, values)
    }
  return [...found].map(([name, known]) => ({ name, steps: fieldSteps(name), value: known[0], known }))
}

/** The vAtom in a state. */
export function vatomIn(state: State, subject: PreviewSubject): unknown {
  const { vatom } = subject
  const properties = vatom[vatomTypeKey]
  const scored = {
    ...vatom,
    [vatomTypeKey]: { ...(isObject(properties) && properties), cloning_score: state.cloningScore },
  }
  return fieldsOf(subject)
    .filter(({ name }) => state.fields.has(name))
    .reduce<unknown>((changed, { name, steps }) => withField(changed, steps, state.fields.get(name)), scored)
}

function withField(whole: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  return { ...(isObject(whole) && whole), [step]: withField(at(whole, step), rest, value) }
}

/** What is in a vAtom: by its child policy, else any others of the catalog. */
export function childrenIn({ children }: State, subject: PreviewSubject, all: readonly PreviewSubject[]): unknown[] {
  const named = all.filter(({ name }) => subject.children.includes(name))
  const others = all.filter(({ template }) => template !== subject.template)
  const source = [named, others, [subject]].find((list) => list.length > 0) ?? []
  return Array.from({ length: children }, (_, index) => ({
    ...source[index % source.length]?.vatom,
    id: `child-${index}`,
  }))
}
