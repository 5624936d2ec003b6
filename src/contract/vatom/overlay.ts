import { groupBy } from '../schema/group-by.ts'
import { isObject, setOwn } from '../schema/path.ts'
import type { Section } from './complete.ts'

type Merge = (base: unknown, over: unknown) => unknown

/**
 * The `vatom` section of a variation resolved over its template's: what is left out is the template's, objects
 * are merged, `states` and `resources` are merged by name, other lists are replaced. Spec 2.5.
 * The variation must have passed `overlayIssues`.
 */
export const resolveVatom = (template: Section, variation: Section = {}): Record<string, unknown> =>
  mergeObjects(template, variation, { 'vAtom::vAtomType': builtIn })

/**
 * The `eth` or `eos` section of a variation resolved over its template's: fields one by one. Spec 2.3, 2.5.
 * The variation must have passed `overlayIssues`.
 */
export const resolveChain = (template: Section, variation: Section = {}): Record<string, unknown> =>
  mergeObjects(template, variation)

/** An object over another: what it leaves out is that of `base`, and objects in both are merged, `special` ones their own way. */
function mergeObjects(base: Section, over: Section, special: Readonly<Record<string, Merge>> = {}) {
  const merged = { ...base }
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue
    const how = own(special, key) ?? merge
    setOwn(merged, key, how(own(base, key), value))
  }
  return merged
}

const own = <T>(object: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Objects merged as by `mergeObjects`, each over those before it, in time that grows with their keys alone. */
export function mergeInOrder(objects: readonly Section[]): Section {
  const entries = objects.flatMap((object) => Object.entries(object))
  const merged = [...groupBy(entries, ([key]) => key)].map(([key, all]) => [key, lastOf(all.map(([, value]) => value))])
  return Object.fromEntries(merged)
}

/** What is left of the values of a key: the last one, merged with the objects just before it if it is one. */
function lastOf(values: readonly unknown[]): unknown {
  const objects = values.slice(values.findLastIndex((value) => !isObject(value)) + 1).filter(isObject)
  return objects.length > 1 ? mergeInOrder(objects) : values.at(-1)
}

const merge: Merge = (base, over) => (isObject(base) && isObject(over) ? mergeObjects(base, over) : over)
const within =
  (special: Readonly<Record<string, Merge>>): Merge =>
  (base, over) =>
    isObject(over) ? mergeObjects(isObject(base) ? base : {}, over, special) : over

const entries: Merge = (base, over) => {
  if (!Array.isArray(base) || !Array.isArray(over) || base.length === 0) return over
  const byName = new Map(over.filter(isObject).map((entry) => [entry.name, entry]))
  return base.map((entry) => (isObject(entry) ? { ...entry, ...byName.get(entry.name) } : entry))
}

/** A price stands flat or under a nested `value`: it is flat once a variation touches it. Spec 2.4. */
const price: Merge = (base, over) => merge(flatPrice(base), flatPrice(over))

/** A price value object with the fields of a nested `value` beside the others; anything else as it is. Spec 2.4. */
export function flatPrice(price: unknown): unknown {
  if (!isObject(price) || !isObject(price.value)) return price
  const { value, ...flat } = price
  return { ...flat, ...(value as Section) }
}

const commerce = within({ pricing: within({ value: price }) })
const builtIn = within({ states: entries, resources: entries, commerce })
