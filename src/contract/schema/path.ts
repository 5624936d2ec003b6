/** A place in a JSON value: object keys and array indexes from the root. */
export type Path = readonly (string | number)[]

/** The value at a path, or undefined if there is none; safe on any input. */
export function at(value: unknown, ...path: Path): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = (here as Record<string | number, unknown>)[step]
  }
  return here
}

/** The list at a path, empty where there is none. */
export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Entries of a list that repeat the text under a key of an earlier entry. */
export function repeatedIn(
  entries: readonly unknown[],
  key: string,
): { readonly index: number; readonly name: string }[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, index) => {
    const name = at(entry, key)
    if (typeof name !== 'string') return []
    if (seen.has(name)) return [{ index, name }]
    seen.add(name)
    return []
  })
}

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Sets a field, where assignment would change what the object inherits, too. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && isSameList(one, other)
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSame(at(one, key), at(other, key)))
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => isSame(item, other[index]))

/** Whether two JSON values are of one type; nothing and `null` are of any. */
export const isSameType = (one: unknown, other: unknown): boolean =>
  (one ?? null) === null || (other ?? null) === null || typeOf(one) === typeOf(other)

const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)

/** Whether a path leads to what another one leads to, or to something in it. */
export const isAtOrBelow = (path: Path, outer: Path): boolean => outer.every((step, index) => path[index] === step)

/** A path as people read it: `vatom.vAtom::vAtomType.states[0].name`. */
export const printPath = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  )

/**
 * The steps of a printed path through a value. A key may hold what stands between steps, so the longest that the value
 * has is taken; what does not exist in it is one last step. Whoever reads many paths through one value lists the keys of
 * its objects once, with `keysOf`.
 */
export function stepsOf(printed: string, value: unknown, keysOf: KeysOf = Object.keys): Path {
  if (printed === '') return []
  const index = /^\[(\d+)\]\.?/.exec(printed)
  if (index && Array.isArray(value)) {
    const step = Number(index[1])
    return [step, ...stepsOf(printed.slice(index[0].length), value[step], keysOf)]
  }
  const key = isObject(value) ? longestKey(printed, keysOf(value)) : undefined
  if (key === undefined) return [printed]
  const rest = printed.slice(key.length)
  // A key can be empty.
  return rest === '.' ? [key, ''] : [key, ...stepsOf(rest.replace(/^\./, ''), at(value, key), keysOf)]
}

type KeysOf = (value: object) => readonly string[]

/** `Object.keys` for values that do not change: those of each object are listed once, as that takes longer than a look at each. */
export function listedOnce(): KeysOf {
  const listed = new Map<object, readonly string[]>()
  return (value) => {
    const keys = listed.get(value) ?? Object.keys(value)
    listed.set(value, keys)
    return keys
  }
}

const longestKey = (printed: string, keys: readonly string[]): string | undefined =>
  keys
    .filter((key) => key !== '' && printed.startsWith(key) && /^$|^[.[]/.test(printed.slice(key.length)))
    .sort((a, b) => b.length - a.length)[0]

/** Whether objects and lists nest deeper than so many levels; it looks no further than that. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1))
}
