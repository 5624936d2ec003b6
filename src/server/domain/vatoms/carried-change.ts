import { at, isObject, isSame, setOwn } from '../../../contract/schema/path.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { onceFor, onceForBoth } from './alike-sections.ts'

/** What a change of a document makes of a value that followed from it, and may have changed since. */
type Carry = (value: unknown) => unknown
/** How a value that may have changed is carried over; undefined where it is the same. */
type Compare = (before: unknown, after: unknown) => Carry | undefined

/**
 * What changes in objects that followed from `before` when `after` takes its place, or undefined if nothing does. Only
 * values that differ between the two are replaced, key by key, and `states` and `resources` by name; other lists are
 * replaced as a whole.
 */
export const carriedChange = (before: Section, after: Section): Carry | undefined => document(before, after)

const replaced: Compare = (before, after) => (isSame(before, after) ? undefined : () => after)

/** Objects key by key, `special` ones their own way. */
const within =
  (special: Readonly<Record<string, Compare>>): Compare =>
  (before, after) =>
    isObject(before) && isObject(after) ? objects(before, after, special) : replaced(before, after)

const compared = within({})

/** The same for sections that objects have alike: each is compared, and changed, once. */
const comparedOnce = onceForBoth((before: Section, after: unknown) => {
  const carry = compared(before, after)
  return carry && once(carry)
})

function once(carry: Carry): Carry {
  const carried = onceFor((section: Section) => carry(section))
  return (value) => (isObject(value) ? carried(value) : carry(value))
}

const alike: Compare = (before, after) => (isObject(before) ? comparedOnce(before, after) : compared(before, after))

function objects(before: Section, after: Section, special: Readonly<Record<string, Compare>>): Carry | undefined {
  if (before === after) return undefined
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const changes = Object.entries(after).flatMap(([key, value]) => {
    const compare = Object.hasOwn(special, key) ? special[key] : undefined
    const carry = Object.hasOwn(before, key) ? (compare ?? compared)(before[key], value) : () => value
    return carry ? [[key, carry] as const] : []
  })
  if (removed.length + changes.length === 0) return undefined
  return (value) => {
    if (!isObject(value)) return after
    const changed = { ...value }
    for (const key of removed) delete changed[key]
    for (const [key, carry] of changes) setOwn(changed, key, carry(at(value, key)))
    return changed
  }
}

/** Lists of entries with names: those of `after`, in its order; what is the same in both stays as it is in the value. */
const entries: Compare = (before, after) => {
  if (!Array.isArray(before) || !Array.isArray(after) || isSame(before, after)) return replaced(before, after)
  const earlier = byName(before)
  const carried = after.map((entry) => {
    const known = earlier.get(nameOf(entry))
    return { entry, carry: known ? (compared(known, entry) ?? same) : () => entry }
  })
  return (value) => {
    const present = byName(Array.isArray(value) ? value : [])
    return carried.map(({ entry, carry }) => {
      const own = present.get(nameOf(entry))
      return own ? carry(own) : entry
    })
  }
}

const same: Carry = (value) => value
const nameOf = (entry: unknown): unknown => (isObject(entry) ? entry.name : undefined)
const byName = (list: readonly unknown[]) => new Map(list.filter(isObject).map((entry) => [entry.name, entry]))

const builtIn = within({ states: entries, resources: entries })
const document = within({ [vatomTypeKey]: builtIn, private: alike, eth: alike, eos: alike })
