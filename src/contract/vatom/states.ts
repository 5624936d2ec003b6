import { at, isObject } from '../schema/path.ts'
import { vatomTypeKey } from '../values.ts'
import type { Section } from './complete.ts'

/** A `vatom` section whose states leave out `on_state_change` where it is the default, which does nothing. Spec 2.4. */
export function withoutStateChange(vatom: Section): Section {
  const type = vatom[vatomTypeKey]
  if (!isObject(type) || !Array.isArray(type.states)) return vatom
  return { ...vatom, [vatomTypeKey]: { ...type, states: type.states.map(plainState) } }
}

function plainState(state: unknown): unknown {
  if (!isObject(state) || at(state, 'on_state_change', 'reactor') !== '') return state
  const { on_state_change, ...rest } = state
  return Object.keys(Object(on_state_change)).length === 1 ? rest : state
}
