import type { PreviewSubject } from '../../contract/preview.ts'
import { at, isObject, isSame, listAt } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import { fieldSteps } from '../faces/subject.ts'

/** A field that faces look at, and the values that they know. */
export interface Field {
  readonly name: string
  readonly values: readonly unknown[]
}

/** Whether faces of a vAtom look at its cloning score, and at what is in it; web faces may look at everything. */
export const looksAt = ({ faces }: PreviewSubject, what: 'cloningScore' | 'children'): boolean =>
  faces.some(({ document }) => lookers[what].test(String(document.display_url)))

const lookers = {
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

/** The fields that image policies and animation rules of a vAtom's faces look at. */
export function fieldsOf({ faces, vatom }: PreviewSubject): Field[] {
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
  return [...found].map(([name, values]) => ({ name, values }))
}

/** The vAtom in a state. */
export function vatomIn(state: State, { vatom }: PreviewSubject): unknown {
  const properties = vatom[vatomTypeKey]
  const scored = {
    ...vatom,
    [vatomTypeKey]: { ...(isObject(properties) && properties), cloning_score: state.cloningScore },
  }
  return [...state.fields].reduce<unknown>(
    (changed, [name, value]) => withField(changed, fieldSteps(name), value),
    scored,
  )
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
