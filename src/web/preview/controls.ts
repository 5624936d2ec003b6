import type { PreviewSubject } from '../../contract/preview.ts'
import { isSame } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { element } from '../element.ts'
import { choice, labelled } from './elements.ts'
import { type Field, fieldsOf, looksAt, type State } from './states.ts'

type Change = (changed: (state: State) => Partial<State>) => void

/** What can be set of a vAtom: what its faces look at, and every private field where a web face may. */
export function controlsFor(subject: PreviewSubject, state: State, change: Change): HTMLElement[] {
  const fields = fieldsOf(subject)
  const inputs = [
    ...(looksAt(subject, 'cloningScore')
      ? [
          slider('cloning_score', { max: 1, step: 0.05 }, state.cloningScore, (to) =>
            change(() => ({ cloningScore: to })),
          ),
        ]
      : []),
    ...(looksAt(subject, 'children')
      ? [slider('children', { max: 12, step: 1 }, state.children, (to) => change(() => ({ children: to })))]
      : []),
    ...fields.filter(({ known }) => known).map((field) => fieldControl(field, state, change)),
  ]
  const others = fields.filter(({ known }) => !known).map((field) => fieldControl(field, state, change))
  return [
    ...(inputs.length > 0
      ? [element('fieldset', { class: 'controls' }, element('legend', {}, 'State'), ...inputs)]
      : []),
    ...(others.length > 0 ? [privateFields(others)] : []),
  ]
}

/** More of them than this are folded away, so that the faces stay in sight. */
const mostOpen = 8

const privateFields = (inputs: readonly HTMLElement[]): HTMLElement =>
  element(
    'details',
    { class: 'privates', open: inputs.length <= mostOpen },
    element('summary', {}, `Private fields, which web faces may read (${inputs.length})`),
    element('div', { class: 'controls' }, ...inputs),
  )

function fieldControl(field: Field, state: State, change: Change): HTMLElement {
  const { name, value, known } = field
  const now = state.fields.has(name) ? state.fields.get(name) : value
  const set = (to: unknown) => change(({ fields }) => ({ fields: new Map([...fields, [name, to]]) }))
  return labelled(name, known ? knownChoice(known, now, set) : inputFor(value, now, set))
}

function knownChoice(known: readonly unknown[], now: unknown, set: (to: unknown) => void): HTMLElement {
  const labels = known.map((value) => (value === undefined ? 'not set' : JSON.stringify(value)))
  const index = known.findIndex((value) => isSame(value, now))
  return choice(labels, Math.max(0, index), (to) => set(known[to]))
}

/** An input for values of the type of one. */
function inputFor(value: unknown, now: unknown, set: (to: unknown) => void): HTMLElement {
  if (typeof value === 'boolean') {
    const box = element('input', { type: 'checkbox', checked: now === true })
    box.addEventListener('input', () => set(box.checked))
    return box
  }
  if (typeof value === 'number') {
    const input = element('input', { type: 'number', step: 'any', value: String(now), required: true })
    input.addEventListener('input', () => input.validity.valid && set(input.valueAsNumber))
    return input
  }
  return typeof value === 'string' ? textInput(now, set) : jsonInput(now, set)
}

function textInput(now: unknown, set: (to: unknown) => void): HTMLElement {
  const input = element('input', { value: String(now), spellcheck: 'false' })
  input.addEventListener('input', () => set(input.value))
  return input
}

/** Lists, empty objects and null are written as JSON; what is none changes nothing, and is marked. */
function jsonInput(now: unknown, set: (to: unknown) => void): HTMLElement {
  const input = element('input', { class: 'json', value: JSON.stringify(now), spellcheck: 'false' })
  input.addEventListener('input', () => {
    const value = parseJson(input.value)
    input.setCustomValidity(value === undefined ? 'This is not JSON.' : '')
    input.ariaInvalid = String(value === undefined)
    if (value !== undefined) set(value)
  })
  return input
}

function slider(name: string, { max, step }: { max: number; step: number }, value: number, set: (to: number) => void) {
  const input = element('input', {
    type: 'range',
    min: '0',
    max: String(max),
    step: String(step),
    value: String(value),
  })
  const output = element('output', {}, String(value))
  input.addEventListener('input', () => {
    output.textContent = input.value
    set(input.valueAsNumber)
  })
  return labelled(name, input, output)
}
