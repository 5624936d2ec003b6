import { at, isObject } from './path.ts'

type Section = Readonly<Record<string, unknown>>

const vatomType = 'vAtom::vAtomType'

/** A `vatom` section whose states leave out `on_state_change` where it is the default, which does nothing. Spec 2.4. */
export function withoutStateChange(vatom: Section): Section {
  const type = vatom[vatomType]
  if (!isObject(type) || !Array.isArray(type.states)) return vatom
  return { ...vatom, [vatomType]: { ...type, states: type.states.map(plainState) } }
}

function plainState(state: unknown): unknown {
  if (!isObject(state) || at(state, 'on_state_change', 'reactor') !== '') return state
  const { on_state_change, ...rest } = state
  return Object.keys(Object(on_state_change)).length === 1 ? rest : state
}
