import { at, isObject } from '../schema/path.ts'
import { vatomTypeKey } from '../values.ts'
import { flatPrice } from './overlay.ts'

/** A section of a document as JSON. */
export type Section = Readonly<Record<string, unknown>>

/** The default state of a vAtom. Spec 2.4. */
const activated = { name: 'Activated', value: { type: 'boolean', value: 'true' }, on_state_change: { reactor: '' } }

/** `transferable` has no default in the specification: the official command line never sends it, and transfers its vAtoms. */
const unset: Section = { transferable: true, acquirable: false, redeemable: false, resources: [] }

/** The `vatom` section of a template as it is stored: defaults filled in, prices flat. Spec 2.4. */
export function completeVatom(vatom: Section): Section {
  const flat = flatPrices(vatom)
  const type = sectionOf(flat[vatomTypeKey])
  return {
    ...flat,
    [vatomTypeKey]: {
      ...unset,
      ...type,
      states: Array.isArray(type.states) && type.states.length > 0 ? type.states : [activated],
      visibility: { type: 'owner', value: '*', ...sectionOf(type.visibility) },
    },
    private: flat.private ?? {},
  }
}

/** A `vatom` section with the price fields that stand under a nested `value` moved up. */
export const flatPrices = (vatom: Section): Section => withPrice(vatom, (value) => value)

/** The same with all price fields under a nested `value`, the other form of the specification. Spec 2.4. */
export const nestedPrices = (vatom: Section): Section => withPrice(vatom, (value) => ({ value }))

/** The same with the price as vAtoms have it: a string in digits. Two of which vAtoms are the same are the same. */
export const textPrices = (vatom: Section): Section =>
  withPrice(vatom, (value) => (value.price === undefined ? value : { ...value, price: digitsOf(value.price) }))

function withPrice(vatom: Section, change: (value: Section) => Section): Section {
  const commerce = at(vatom, vatomTypeKey, 'commerce')
  const pricing = at(commerce, 'pricing')
  const value = at(pricing, 'value')
  if (!isObject(commerce) || !isObject(pricing) || !isObject(value)) return vatom
  const priced = change(sectionOf(flatPrice(value)))
  const type = { ...sectionOf(vatom[vatomTypeKey]), commerce: { ...commerce, pricing: { ...pricing, value: priced } } }
  return { ...vatom, [vatomTypeKey]: type }
}

/** A number in digits alone: `0.0000001` for `1e-7`. */
function digitsOf(price: unknown): string {
  const text = String(price)
  const [, sign, whole = '', part = '', power] = /^(-?)(\d)(?:\.(\d+))?e([-+]\d+)$/.exec(text) ?? []
  if (power === undefined) return text
  const digits = `${whole}${part}`
  const point = Number(power) + 1
  return point > 0 ? `${sign}${digits.padEnd(point, '0')}` : `${sign}0.${'0'.repeat(-point)}${digits}`
}

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

/** An object, or an empty one. */
export const sectionOf = (value: unknown): Section => (isObject(value) ? value : {})

/** The built-in properties in a `vatom` section. */
export const builtIn = (vatom: Section): Section => sectionOf(vatom[vatomTypeKey])

/** An `eth` section as it is stored: values of their declared type, and a symbol. Spec 2.3. */
export function completeEth(eth: Section, publisher: string): Section {
  return { ...typedEth(eth), symbol: eth.symbol ?? publisher }
}

/** An `eth` section with values of their declared type; a uint that numbers cannot hold stays a string. Spec 2.3. */
export function typedEth(eth: Section): Section {
  const fields = Object.entries(sectionOf(eth.fields)).map(([name, field]) => [name, typedField(sectionOf(field))])
  return { ...eth, fields: Object.fromEntries(fields) }
}

function typedField(field: Section): Section {
  const { type, value } = field
  if (type === 'bool') return { type, value: value === true || value === 'true' }
  if (type !== 'uint') return { type, value }
  const number = Number(value)
  return { type, value: Number.isSafeInteger(number) ? number : String(value).replace(/^0+/, '') }
}

/** What a variation is where its document does not say: `max_clones` of null is any number. Spec 2.5. */
export const variationDefaults = {
  public: false,
  auto_create_on_acquire: false,
  cloning_gain: 0.25,
  max_clones: null,
} as const
