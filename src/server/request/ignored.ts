import { isObject, type Path, printPath } from '../../contract/schema/path.ts'

/** Keys of a body that its schema left out, as printed paths. */
export function ignoredKeys(input: unknown, kept: unknown, path: Path = []): string[] {
  if (Array.isArray(input) && Array.isArray(kept))
    return input.flatMap((entry, index) => ignoredKeys(entry, kept[index], [...path, index]))
  if (!isObject(input) || !isObject(kept)) return []
  return Object.keys(input).flatMap((key) =>
    Object.hasOwn(kept, key) ? ignoredKeys(input[key], kept[key], [...path, key]) : [printPath([...path, key])],
  )
}
