import { isObject, isSame } from '../schema/path.ts'
import { type Section, typedEth } from '../vatom/complete.ts'

/** What an object says beyond its defaults, as deep as those are objects. */
export function beyond(defaults: Section, document: Section): Section {
  const said = Object.entries(document).flatMap(([key, value]) => {
    const unset = Object.hasOwn(defaults, key) ? defaults[key] : undefined
    if (isSame(value, unset)) return []
    if (!isObject(value) || !isObject(unset)) return [[key, value] as const]
    const rest = beyond(unset, value)
    return Object.keys(rest).length === 0 ? [] : [[key, rest] as const]
  })
  return Object.fromEntries(said)
}

/** A document whose `eth` and `eos` sections are as they are stored. */
export const withChains = (document: Section, eth: (section: Section) => Section): Section => ({
  ...document,
  ...(isObject(document.eth) && { eth: eth(document.eth) }),
  ...(isObject(document.eos) && { eos: typedEth(document.eos) }),
})

/** The fields of an object that are there: neither undefined nor null. */
export const present = (fields: Section): Section =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** A text, or an empty one for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
