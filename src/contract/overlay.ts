import { isObject } from './path.ts'

type Section = Record<string, unknown>

/**
 * The `vatom` section of a variation resolved over its template's: what is left out is the template's, objects
 * are merged, `states` and `resources` are merged by name, other lists are replaced. Spec 2.5.
 * The variation must have passed `overlayIssues`.
 */
export const resolveVatom = (template: Section, variation: Section = {}): Section => mergeObjects(template, variation)

function mergeObjects(base: Section, over: Section): Section {
  const merged: Section = { ...base }
  for (const [key, value] of Object.entries(over)) merged[key] = merge(base[key], value, key)
  return merged
}

function merge(base: unknown, over: unknown, key: string): unknown {
  if (over === undefined) return base
  if (isObject(base) && isObject(over)) return mergeObjects(base, over)
  if ((key === 'states' || key === 'resources') && Array.isArray(base) && Array.isArray(over))
    return mergeEntries(base, over)
  return over
}

function mergeEntries(base: readonly unknown[], over: readonly unknown[]): unknown[] {
  const byName = new Map(over.filter(isObject).map((entry) => [entry.name, entry]))
  return base.map((entry) => (isObject(entry) ? { ...entry, ...byName.get(entry.name) } : entry))
}
