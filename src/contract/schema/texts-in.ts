import { isObject, type Path } from './path.ts'

/** A text in a value, and where it is. */
interface PlacedText {
  readonly path: Path
  readonly text: string
}

/** All texts in a value of any shape, in their order. */
export function textsIn(value: unknown, path: Path = []): PlacedText[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((entry, index) => textsIn(entry, [...path, index]))
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key])) : []
}
