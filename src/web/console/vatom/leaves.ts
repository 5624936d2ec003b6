import { isObject } from '../../../contract/schema/path.ts'

/** Every value within a record by its path; what is named in a list stands by its name. */
export function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (Array.isArray(value) && value.length > 0)
    return merged(value.map((one, index) => leavesOf(one, `${path}[${nameIn(one) ?? index}]`)))
  if (isObject(value) && Object.keys(value).length > 0)
    return merged(Object.entries(value).map(([key, one]) => leavesOf(one, path === '' ? key : `${path}.${key}`)))
  return new Map([[path, typeof value === 'string' ? value : JSON.stringify(value)]])
}

const nameIn = (value: unknown): string | undefined =>
  isObject(value) && typeof value.name === 'string' ? value.name : undefined

const merged = (maps: readonly ReadonlyMap<string, string>[]) => new Map(maps.flatMap((map) => [...map]))

/** A value that is another than before; undefined where there was none, or is none. */
export interface Change {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Whether a field is a counter or a time that every change moves. */
export const isBookkeeping = (path: string): boolean => /^(sync|when_modified)$/.test(path)

/** What is another between two records of a vAtom. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const [old, now] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => old.get(path) !== now.get(path) && !isBookkeeping(path))
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
}
